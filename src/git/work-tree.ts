/** What git knows of the files in a folder. Git's own documentation: git-ls-files, git-status, gitrepository-layout. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { fromByteString } from '../files/byte-path.ts';
import { parentFolder, pathOfGit, pathsEqual, rootOfPath } from '../files/path.ts';
import { runGit, type GitProcessOptions, type GitResult } from './process.ts';
import { parseIndex, parseStatus, type IndexEntry, type StatusEntry } from './work-tree-listing.ts';

/** Where a repository is. */
export interface RepositoryPlace {
  /** The folder with the files, as it was reached; of a bare repository the repository itself. Absolute. */
  readonly root: string;
  /** Absolute. */
  readonly gitDir: string;
  /** True where the repository has no `.git` of its own. */
  readonly isBare: boolean;
}

/** The files that a repository has checked out, or some of them. */
export interface WorkTree {
  /** The commit that is checked out; null before the first one. */
  readonly head: string | null;
  /** Files that are tracked, in git's order. */
  readonly index: readonly IndexEntry[];
  /** What differs from the commit, is not tracked, or is ignored. */
  readonly changes: readonly StatusEntry[];
}

/** How git is asked. */
export interface WorkTreeOptions {
  readonly env: GitProcessOptions['env'];
  readonly signal: AbortSignal;
}

/** The repository that `folder` (absolute) is in, as its path is written; null if there is none. Nothing is asked of git. */
export function findRepository(folder: string): RepositoryPlace | null {
  for (let at = folder; ; at = parentFolder(at)) {
    const place = repositoryAt(at) ?? (isGitDir(at) ? { root: at, gitDir: at, isBare: true } : null);
    if (place !== null || at === rootOfPath(at)) return place;
  }
}

/** The repository whose files begin at `root` (absolute); null if there is none. */
export function repositoryAt(root: string): RepositoryPlace | null {
  const inner = join(root, '.git');
  // Also false where `root` is a file.
  if (!existsSync(inner)) return null;
  const stats = statSync(inner);
  if (stats.isDirectory()) return isGitDir(inner) ? { root, gitDir: inner, isBare: false } : null;
  if (!stats.isFile()) return null;
  const target = /^gitdir: (.+?)\n*$/.exec(readFileSync(inner, 'utf8'))?.[1];
  if (target === undefined) return null;
  const gitDir = resolve(root, target);
  return existsSync(join(gitDir, 'HEAD')) ? { root, gitDir, isBare: false } : null;
}

function isGitDir(path: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

/**
 * Asks git about the files at `paths` (below the root, `.` for all) and, of changes alone, at `alsoChangesAt`. `bare`
 * if the repository turns out to have no files, `elsewhere` if it has them in another folder. Throws what git says if
 * it refuses the repository, and if there is no git to ask.
 */
export async function readWorkTree(
  place: RepositoryPlace,
  wanted: { readonly paths: readonly string[]; readonly alsoChangesAt: readonly string[] },
  options: WorkTreeOptions,
): Promise<WorkTree | 'bare' | 'elsewhere'> {
  const ask = (args: readonly string[]) => askGit(place, args, options);
  // Each finds the repository by itself, so that none waits for another.
  const [location, index, status] = await Promise.all([
    ask(['rev-parse', '--is-bare-repository', '--show-toplevel']),
    ask(['--literal-pathspecs', 'ls-files', '-z', '-s', '-v', '--', ...wanted.paths]),
    ask([...STATUS, '--', ...wanted.paths, ...wanted.alsoChangesAt]),
  ]);
  if (location.stdout.startsWith('true')) return 'bare';
  const top = pathOfGit(fromByteString(succeeded(location).slice('false\n'.length, -1)));
  if (!pathsEqual(top, realpathSync.native(place.root))) return 'elsewhere';
  const { head, entries } = parseStatus(succeeded(status));
  return withoutSparseFolders({ head, index: parseIndex(succeeded(index)), changes: entries });
}

/**
 * Leaves out the folders that are not meant to be checked out, whatever is in them: cargo does not look there. A folder
 * with one tracked file is no such.
 */
function withoutSparseFolders(tree: WorkTree): WorkTree {
  if (!tree.index.some(({ isSkipped }) => isSkipped)) return tree;
  const tracked = new Map<string, { count: number; skipped: number }>();
  for (const { path, isSkipped } of tree.index) {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const counts = tracked.get(folder) ?? { count: 0, skipped: 0 };
      counts.count++;
      if (isSkipped) counts.skipped++;
      tracked.set(folder, counts);
    }
  }
  const isSparse = (folder: string) => {
    const counts = tracked.get(folder);
    return counts !== undefined && counts.count > 1 && counts.skipped === counts.count;
  };
  const isShown = ({ path }: { readonly path: string }) => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      if (isSparse(path.slice(0, at))) return false;
    }
    return true;
  };
  return { ...tree, index: tree.index.filter(isShown), changes: tree.changes.filter(isShown) };
}

/** The changes at some paths below the root, each with what is below it. */
export async function readChanges(
  place: RepositoryPlace,
  paths: readonly string[],
  options: WorkTreeOptions,
): Promise<readonly StatusEntry[]> {
  return parseStatus(succeeded(await askGit(place, [...STATUS, '--', ...paths], options))).entries;
}

/** Those of some paths below the root that a rule of `.gitignore` and its like names, whether they are tracked or not. */
export async function findIgnored(
  place: RepositoryPlace,
  paths: readonly string[],
  options: WorkTreeOptions,
): Promise<ReadonlySet<string>> {
  // In front of a path, `:` would be magic.
  const input = paths.map((path) => `./${path}\0`).join('');
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  const result = await askGit(place, args, { ...options, input });
  // 1 says that there are none.
  const output = result.status === 1 ? '' : succeeded(result);
  return new Set(
    output
      .split('\0')
      .slice(0, -1)
      .map((path) => fromByteString(path).slice('./'.length)),
  );
}

/** A setting of git's, in the form that git gives its type; null if it is not set or not of the type. */
export async function readSetting(
  place: RepositoryPlace,
  setting: { readonly key: string; readonly type: 'bool' | 'path' | 'text' },
  options: WorkTreeOptions,
): Promise<string | null> {
  const type = setting.type === 'text' ? [] : [`--type=${setting.type}`];
  const { status, stdout } = await askGit(place, ['config', ...type, '--get', setting.key], options);
  return status === 0 ? fromByteString(stdout.slice(0, -1)) : null;
}

/** Every untracked file, folders that a rule ignores as one, and no look into submodules. */
const STATUS = [
  '--literal-pathspecs',
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--untracked-files=all',
  '--ignored=matching',
  '--ignore-submodules=dirty',
  '--no-renames',
];

/** Nothing is written to the repository, and none of its settings may start a program to watch files. */
const GUARDS = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

async function askGit(
  place: RepositoryPlace,
  args: readonly string[],
  options: WorkTreeOptions & { readonly input?: string },
): Promise<GitResult> {
  const { env, signal, input } = options;
  const process = { gitDir: null, workDir: place.root, env, signal, stdoutEncoding: 'latin1' } as const;
  try {
    return await runGit([...GUARDS, ...args], input === undefined ? process : { ...process, input });
  } catch (cause) {
    if (!(cause instanceof TsregError) || cause.code !== 'git') throw cause;
    throw new TsregError(`the git program is needed for the repository at \`${place.root}\``, { cause });
  }
}

function succeeded({ status, stdout, stderr }: GitResult): string {
  if (status === 0) return stdout;
  const text = stderr.trim().replace(/^fatal: /, '');
  throw new TsregError(text === '' ? 'git ended without a response' : text, { code: 'git' });
}
