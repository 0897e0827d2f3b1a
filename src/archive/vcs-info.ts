/** The state of the repository that a package is in. Cargo Book: cargo-package(1), `.cargo_vcs_info.json`. */
import { readlinkSync } from 'node:fs';
import { TsregError } from '../errors/error.ts';
import { fromByteString, toByteString, toNativePath } from '../files/byte-path.ts';
import { joinPath, normalizePath, relativePath } from '../files/path.ts';
import { readSwitch } from '../git/work-tree.ts';
import type { Report } from '../report/report.ts';
import { submoduleChanges } from './submodule-changes.ts';
import {
  pathBelow,
  pathspecOf,
  type PackageRepositories,
  type PackageRepository,
} from './package-repository.ts';
import type { Selection } from './select-files.ts';
import type { SourceFile } from './source-file.ts';

/** Content of `.cargo_vcs_info.json`, keys in the order in which they are written. */
export interface VcsInfo {
  readonly git: {
    /** The commit that is checked out. */
    readonly sha1: string;
    /** Only there if files are packaged that differ from the commit. */
    readonly dirty?: true;
  };
  /** The package's folder below the top of the repository; empty at the top. */
  readonly path_in_vcs: string;
}

/** What the check of a repository needs beside the selected files. */
export interface CheckRepositoryOptions {
  readonly repositories: PackageRepositories;
  /** The manifest of the workspace: a change in it counts for every member. Absolute. */
  readonly workspaceManifest: string;
  /** `--allow-dirty`. */
  readonly allowDirty: boolean;
  /** `-v`: says why there is nothing to check. */
  readonly isVerbose: boolean;
  readonly report: Report;
}

/**
 * Checks that the selected files are as they were committed, and says where they come from: null without a
 * repository, without a commit, and where the manifest is ignored. Throws, with a list of what has changed, unless
 * that is allowed.
 */
export async function checkRepository(
  selection: Selection,
  options: CheckRepositoryOptions,
): Promise<VcsInfo | null> {
  const { root, manifest } = selection;
  const { repositories, report } = options;
  const repository = await repositories.of(root);
  const explain = (text: string) => {
    if (options.isVerbose) report.warning(text);
  };
  if (repository === null) {
    explain(`no (git) VCS found for \`${root}\``);
    return null;
  }
  const { tree, place, realFolder } = repository;
  if (tree === null) return null;
  const manifestPath = realFolder === null ? manifest.path : joinPath(realFolder, 'Cargo.toml');
  if (repository.manifestIsIgnored) {
    const shown = manifestPath.replace(/^\/(?=Cargo\.toml$)/, '');
    explain(`found (git) Cargo.toml ignored at \`${shown}\` in workdir \`${place.root}\``);
    return null;
  }
  await warnOfLinkTexts(selection, repository, options);
  const changed = [
    ...(await changedFiles(selection, repository, options)),
    ...(await changedOutside(selection, repository, options)),
  ];
  if (changed.length > 0 && !options.allowDirty) throw dirtyError(changed, repositories.cwd);
  if (tree.head === null) return null;
  return {
    git: changed.length > 0 ? { sha1: tree.head, dirty: true } : { sha1: tree.head },
    path_in_vcs: realFolder ?? root,
  };
}

function dirtyError(paths: readonly string[], cwd: string): TsregError {
  const shown = paths
    .map((path) => toByteString(relativePath(cwd, path)))
    .sort()
    .map(fromByteString);
  return new TsregError(
    `${shown.length} files in the working directory contain changes that were not yet committed into git:\n\n` +
      `${shown.join('\n')}\n\n` +
      'to proceed despite this and include the uncommitted changes, pass the `--allow-dirty` flag',
    { code: 'git' },
  );
}

async function warnOfLinkTexts(
  selection: Selection,
  { place }: PackageRepository,
  { repositories, report }: CheckRepositoryOptions,
): Promise<void> {
  if (!selection.files.some(({ mayBeLinkText }) => mayBeLinkText)) return;
  if ((await readSwitch(place, 'core.symlinks', repositories.git)) !== false) return;
  report.warning({
    title: `found symbolic links that may be checked out as regular files for git repo at \`${place.root}/\``,
    remarks: [
      {
        label: 'note',
        text: 'this might cause the `.crate` file to include incorrect or incomplete files',
      },
      { label: 'help', text: 'to avoid this, set the Git config `core.symlinks` to `true`' },
    ],
  });
}

/** Selected files that differ from the commit, or are not in it; of a link what counts is the file that it leads to. */
async function changedFiles(
  selection: Selection,
  repository: PackageRepository,
  { repositories }: CheckRepositoryOptions,
): Promise<readonly string[]> {
  const { place, tree, prefix } = repository;
  const top = toByteString(place.root.endsWith('/') ? place.root : `${place.root}/`);
  const dirty = new Set<string>();
  for (const { path, kind } of tree?.changes ?? []) {
    if (!path.startsWith(prefix) && !prefix.startsWith(`${path}/`)) continue;
    // A lock file is made anew, so that it may well be ignored.
    if (kind === 'ignored' && isLockfile(path)) continue;
    dirty.add(top + path);
  }
  const mayReachSubmodule =
    (tree?.index ?? []).some(({ kind }) => kind === 'submodule') || selection.files.some(isLinked);
  if (mayReachSubmodule) for (const path of await submoduleChanges(place, repositories)) dirty.add(path);
  if (dirty.size === 0) return [];
  return selection.files.flatMap((file) => {
    const counted = isLinked(file) ? followLinks(file.path) : file.path;
    return isAtOrBelow(counted, dirty) ? fromByteString(file.path) : [];
  });
}

function isLinked({ kind, isBelowLink }: SourceFile): boolean {
  return kind === 'symlink' || isBelowLink;
}

function isLockfile(path: string): boolean {
  return path === 'Cargo.lock' || path.endsWith('/Cargo.lock');
}

function isAtOrBelow(path: string, places: ReadonlySet<string>): boolean {
  if (places.has(path)) return true;
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    if (places.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Changes of files outside of the package on which the archive depends, once for each way in which they differ. */
async function changedOutside(
  selection: Selection,
  repository: PackageRepository,
  { repositories, workspaceManifest }: CheckRepositoryOptions,
): Promise<readonly string[]> {
  const { manifest, root, files } = selection;
  const links = files.filter(isLinked);
  const named = [manifest.licenseFile, manifest.readme].flatMap((path) =>
    path === null ? [] : normalizePath(joinPath(root, path)),
  );
  const outside = [...links.map(({ path }) => fromByteString(path)), ...named, workspaceManifest].filter(
    (path) => pathBelow(path, root) === null,
  );
  const { place } = repository;
  const paths = new Set(outside.flatMap((path) => pathspecOf(path, place, repositories.cwd) ?? []));
  if (paths.size === 0) return [];
  const changes = await repository.changesAt([...paths]);
  return changes.flatMap(({ path, isStaged, isModified }) => {
    const absolute = joinPath(place.root, fromByteString(path));
    return isStaged && isModified ? [absolute, absolute] : [absolute];
  });
}

const MAX_LINKS = 32;

/** Where links lead to (byte strings); what is not there is taken as it is written. The path itself if there are too many. */
function followLinks(path: string): string {
  let rest = path.split('/').filter((name) => name !== '');
  let at = '';
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...others] = rest;
    rest = others;
    if (name === '..') {
      at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
      continue;
    }
    if (name === '.') continue;
    const target = linkTarget(`${at}/${name}`);
    if (target === null) {
      at = `${at}/${name}`;
      continue;
    }
    if (++links > MAX_LINKS) return path;
    if (target.startsWith('/')) at = '';
    rest = [...target.split('/').filter((part) => part !== ''), ...rest];
  }
  return at === '' ? '/' : at;
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(toNativePath(path), { encoding: 'latin1' });
  } catch {
    return null;
  }
}
