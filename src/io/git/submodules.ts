/** Reads the submodules of a checkout. Git's own documentation: gitmodules. */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { type GitProcessOptions, runGit } from './process.ts';

/** One entry of `.gitmodules`. */
export interface Submodule {
  readonly name: string;
  /** Relative to the checkout, as written: `submoduleFolder` checks it. */
  readonly path?: string;
  /** As written: it may be relative to the URL of the parent. */
  readonly url?: string;
  /** The update strategy. */
  readonly update?: string;
}

/** Reads `.gitmodules` in a checkout with git's parser, sorted by name. Throws `git` if git cannot read it. */
export async function readSubmodules(
  parent: { readonly path: string; readonly gitDir: string },
  context: Pick<GitProcessOptions, 'env' | 'signal'>,
): Promise<readonly Submodule[]> {
  if (!existsSync(join(parent.path, '.gitmodules'))) return [];
  const { stdout, status, stderr } = await runGit(['config', '--null', '--list', '--file', '.gitmodules'], {
    gitDir: parent.gitDir,
    workDir: parent.path,
    env: context.env,
    signal: context.signal,
    ignoreUserConfig: true,
  });
  if (status !== 0) throw new TsregError(stderr.trim(), { code: 'git' });
  const byName = new Map<string, Submodule>();
  for (const setting of stdout.split('\0')) {
    const [, name, key, value] = /^submodule\.(.+)\.(path|url|update)\n([^]*)$/.exec(setting) ?? [];
    if (name === undefined || value === undefined) continue;
    const submodule = byName.get(name) ?? { name };
    if (key === 'path') byName.set(name, { ...submodule, path: value });
    else if (key === 'url') byName.set(name, { ...submodule, url: value });
    else byName.set(name, { ...submodule, update: value });
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the folder of the submodule at `path` in the checkout at `root`. Throws `git` if it would be outside. git may
 * have created a link in place of a folder if a tree has both, or if the file system treats two names as one.
 */
export function submoduleFolder(root: string, path: string, platform: string = process.platform): string {
  const parts = path.split('/');
  if (parts.some((part) => isUnsafePart(part, platform))) {
    throw new TsregError(`\`${path}\` is not a valid path for a submodule`, { code: 'git' });
  }
  parts.forEach((_, i) => {
    const folder = parts.slice(0, i + 1).join('/');
    if (lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
    throw new TsregError(`\`${folder}\` is a link, where the submodule at \`${path}\` has a folder`, {
      code: 'git',
    });
  });
  return join(root, ...parts);
}

/** Returns true if a path part is unsafe. This includes names for `.git` in other file systems, such as `GIT~1`. */
function isUnsafePart(part: string, platform: string): boolean {
  // On Windows, these characters could lead out of the folder.
  const isForeign = platform === 'win32' && /[\\:]/.test(part);
  return (
    isForeign ||
    ['', '.', '..'].includes(part) ||
    part.includes('\0') ||
    /^(?:\.git|git~\d+)[ .]*$/i.test(part)
  );
}

/** Throws with libgit2's message if `url` is neither a URL nor a path. */
export function checkSubmoduleUrl(url: string): void {
  if (/^(?:\/|\.\.?\/)|:/.test(url)) return;
  throw new TsregError('invalid format for submodule URL; class=Submodule (17)', { code: 'git' });
}

/**
 * Returns a submodule's URL. `./` and `../` are relative to `base`, the URL or path of the parent repository, as if
 * that were a folder. With a path, the result still contains them.
 */
export function absoluteSubmoduleUrl(base: string, url: string): string {
  if (!url.startsWith('./') && !url.startsWith('../')) return url;
  if (!URL.canParse(base)) return base.endsWith('/') ? base + url : `${base}/${url}`;
  const parsed = new URL(base);
  if (!parsed.pathname.endsWith('/')) parsed.pathname += '/';
  return new URL(url, parsed).href;
}

/**
 * Returns the URL for `HOST:PATH` or `USER@HOST:PATH`, which git also accepts; null for any other text. Returns null if
 * the user or host begins with `-`, which git or ssh would treat as an option.
 */
export function sshUrl(location: string): string | null {
  const [, userAt = '', host, path = ''] =
    /^([^-/:@\s][^/:@\s]*@)?([^-/:@\s][^/:@\s]*):(.+)$/.exec(location) ?? [];
  if (host === undefined) return null;
  const absolutePath = path.startsWith('/') ? path : `/${path}`;
  return `ssh://${userAt}${host}${absolutePath}`;
}
