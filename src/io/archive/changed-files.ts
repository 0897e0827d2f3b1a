/**
 * Files of an archive that differ from the commit. Cargo Book: cargo-package(1).
 *
 * Byte strings: paths of changes, index entries and selected files, `PackageRepository.prefix`, and `top`. Text: paths of
 * places, packages and manifests, and all results. The paths that git reports are relative to the top folder, and
 * `top + path` is absolute.
 */
import { readdirSync } from 'node:fs';
import { fromByteString, toByteString, toNativePath } from '../../core/files/byte-path.ts';
import { joinPath, normalizePath, toSlashes } from '../../core/files/path.ts';
import { repositoryAt, type RepositoryPlace, type WorkTree } from '../git/work-tree.ts';
import {
  pathBelow,
  pathspecOf,
  type PackageRepositories,
  type PackageRepository,
} from './package-repository.ts';
import { followLinks } from './follow-links.ts';
import { parentOf, prefixOf } from './parent-path.ts';
import type { Selection } from './select-files.ts';
import type { SourceFile } from './source-file.ts';
import { checkedOutSubmodules } from './submodules-of.ts';

/** Inputs for finding changed files. */
export interface ChangedFilesOptions {
  readonly repositories: PackageRepositories;
  /** The workspace's manifest, absolute. A change in it counts for every member. */
  readonly workspaceManifest: string;
}

/** A difference from the commit. */
interface Change {
  /** Absolute, as a byte string. A folder stands for everything in it. */
  readonly path: string;
  /** True if git does not track it. */
  readonly isUnknown: boolean;
  readonly place: RepositoryPlace;
}

/**
 * Returns the files that differ from the commit, are not in it or are ignored: selected files, the workspace's
 * manifest, and files outside the package that `license-file`, `readme` and links lead to. Paths are absolute and
 * unsorted. A file outside the package appears once for each way in which it differs.
 */
export async function findChangedFiles(
  selection: Selection,
  repository: PackageRepository,
  options: ChangedFilesOptions,
): Promise<readonly string[]> {
  return [
    ...(await changedFilesInside(selection, repository, options)),
    ...(await changedFilesOutside(selection, repository, options)),
  ];
}

/** Returns the changed files among the selected ones. For a link, its target counts. */
async function changedFilesInside(
  { files }: Selection,
  repository: PackageRepository,
  { repositories }: ChangedFilesOptions,
): Promise<readonly string[]> {
  const { place, tree, prefix } = repository;
  if (tree === null) return [];
  // In the package, or an ignored folder around it, which git reports as one path.
  const isNear = ({ path }: { readonly path: string }) =>
    path.startsWith(prefix) || prefix.startsWith(`${path}/`);
  const changes = changesOf(place, { ...tree, changes: tree.changes.filter(isNear) });
  // Reading submodules starts git. The index lists only those near the package, but a link may lead to any.
  const mayReachSubmodule = tree.index.some(({ kind }) => kind === 'submodule') || files.some(isLinked);
  if (mayReachSubmodule) {
    const submodules = await checkedOutSubmodules(place, repositories);
    changes.push(...submodules.flatMap((submodule) => changesOf(submodule.place, submodule.tree)));
  }
  const changed = filesAt(changes, files);
  if (changed.length === 0) return [];
  // Reading the settings starts git, so it comes last. Hidden changes do not count, so the files must be found again.
  const visibleChanges = await withoutHidden(changes, repositories);
  return visibleChanges.length === changes.length ? changed : filesAt(visibleChanges, files);
}

/** Returns the changes in `tree`, the listed part of the repository at `place`. */
function changesOf(place: RepositoryPlace, tree: WorkTree): Change[] {
  const top = toByteString(prefixOf(place.root));
  const changes: Change[] = [];
  for (const { path, kind } of tree.changes) {
    // Lock files are generated, so they may be ignored, but not as part of a folder that is ignored completely.
    if (kind === 'ignored' && isLockfile(path) && !isInIgnoredFolder(path, top, tree)) continue;
    changes.push({ path: top + path, isUnknown: kind !== 'changed', place });
  }
  for (const { path, kind } of tree.index) {
    // git reports nothing about files in the place of a submodule that is not checked out.
    if (kind === 'submodule' && repositoryAt(fromByteString(top + path)) === null)
      changes.push({ path: top + path, isUnknown: true, place });
  }
  return changes;
}

/** Returns true if everything in the folder of a file is ignored, which cargo treats as an ignored folder. */
function isInIgnoredFolder(path: string, top: string, { changes }: WorkTree): boolean {
  const folder = parentOf(path);
  if (folder === '') return false;
  const ignoredPaths = new Set(changes.filter(({ kind }) => kind === 'ignored').map((entry) => entry.path));
  const isWhollyIgnored = (innerFolder: string): boolean => {
    const entries = readdirSync(toNativePath(top + innerFolder), { withFileTypes: true, encoding: 'latin1' });
    return (
      entries.length > 0 &&
      entries.every((entry) => {
        const entryPath = `${innerFolder}/${entry.name}`;
        return (
          ignoredPaths.has(entryPath) ||
          entry.name === '.git' ||
          (entry.isDirectory() && isWhollyIgnored(entryPath))
        );
      })
    );
  };
  return isWhollyIgnored(folder);
}

/** Returns the paths of files that a change is about. Counts the target of a link instead of the link. */
function filesAt(changes: readonly Change[], files: readonly SourceFile[]): readonly string[] {
  if (changes.length === 0) return [];
  const isAtOrBelow = placeMatcher(new Set(changes.map(({ path }) => toSlashes(path))));
  return files.flatMap((file) => {
    const target = isLinked(file) ? followLinks(file.path) : file.path;
    return isAtOrBelow(toSlashes(target)) ? fromByteString(file.path) : [];
  });
}

/** Returns a predicate for paths that are in `places`, or below one of them. */
function placeMatcher(places: ReadonlySet<string>): (path: string) => boolean {
  const folders = new Map<string, boolean>([['', false]]);
  const isAtOrBelow = (path: string): boolean => {
    if (places.has(path)) return true;
    const folder = parentOf(path);
    let result = folders.get(folder);
    if (result === undefined) {
      result = isAtOrBelow(folder);
      folders.set(folder, result);
    }
    return result;
  };
  return isAtOrBelow;
}

/** Removes untracked files of repositories in which git is set to hide them. */
async function withoutHidden(
  changes: readonly Change[],
  repositories: PackageRepositories,
): Promise<readonly Change[]> {
  const visibleChanges: Change[] = [];
  for (const change of changes) {
    if (!change.isUnknown || !(await repositories.hidesUntracked(change.place))) visibleChanges.push(change);
  }
  return visibleChanges;
}

/** Returns the changed files outside the package, once for each way in which a file differs. */
async function changedFilesOutside(
  { manifest, root, files }: Selection,
  repository: PackageRepository,
  { repositories, workspaceManifest }: ChangedFilesOptions,
): Promise<readonly string[]> {
  // A link may lead to a file of this repository outside the package, whose changes `changedFilesInside` leaves out.
  const links = files.filter(isLinked).map(({ path }) => fromByteString(path));
  const namedFiles = [manifest.licenseFile, manifest.readme].flatMap((path) =>
    path === null ? [] : normalizePath(joinPath(root, path)),
  );
  const outsidePaths = [...links, ...namedFiles, workspaceManifest].filter(
    (path) => pathBelow(path, root) === null,
  );
  const { place } = repository;
  const paths = new Set(outsidePaths.flatMap((path) => pathspecOf(path, place, repositories.cwd) ?? []));
  if (paths.size === 0) return [];
  const changed: string[] = [];
  for (const { path, kind, isStaged, isModified } of await repository.changesAt([...paths])) {
    if (kind !== 'changed' && (await repositories.hidesUntracked(place))) continue;
    const absolute = joinPath(place.root, fromByteString(path));
    changed.push(absolute);
    if (isStaged && isModified) changed.push(absolute);
  }
  return changed;
}

function isLinked({ kind, isBelowLink }: SourceFile): boolean {
  return kind === 'symlink' || isBelowLink;
}

function isLockfile(path: string): boolean {
  return path === 'Cargo.lock' || path.endsWith('/Cargo.lock');
}
