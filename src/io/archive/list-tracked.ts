/** The files of a package according to git. Cargo Book: The Manifest Format, the exclude and include fields. */
import { lstatSync, statSync, type Stats } from 'node:fs';
import { fromByteString, toByteString, toNativePath } from '../../core/files/byte-path.ts';
import type { RepositoryPlace } from '../git/work-tree.ts';
import { isOddFileName, isReservedFileName } from './check-file-name.ts';
import { sortAsOnDisk } from './disk-order.ts';
import { isIgnoredAsFolder } from './ignored-link.ts';
import type { NestedRepository, PackageRepositories, PackageRepository } from './package-repository.ts';
import { prefixOf } from './parent-path.ts';
import type { SourceFile } from './source-file.ts';
import { walkFolder, type WalkOptions } from './walk-folder.ts';

/** Options for listing tracked files. */
export interface ListTrackedOptions {
  /** The package's folder. Absolute. */
  readonly root: string;
  readonly isWanted: WalkOptions['isWanted'];
  readonly warn: WalkOptions['warn'];
  readonly repositories: PackageRepositories;
}

/** The listed part of a repository. `prefix` is a byte string, empty or with a slash at the end. */
interface ListedPart extends NestedRepository {
  readonly prefix: string;
}

/** An entry on disk that git tracks or does not ignore. */
interface Candidate {
  /** Relative to the top folder. */
  readonly path: string;
  /** `unknown` if it was not looked up. */
  readonly kind: 'file' | 'symlink' | 'folder' | 'unknown';
  /** As in `SourceFile`. */
  readonly mayBeLinkText: boolean;
}

/**
 * Lists files that are tracked or not ignored. Nested repositories are listed by their own rules. In `target`, only
 * tracked files count. An untracked `Cargo.lock` at the top of a repository is left out.
 */
export async function listTracked(
  repository: PackageRepository,
  options: ListTrackedOptions,
): Promise<readonly SourceFile[]> {
  const { place, tree, prefix, isBehindLink } = repository;
  // git treats the link as a file, and a folder with a manifest behind it as another package.
  if (tree === null || isBehindLink) return [];
  const files = await listPart({ place, tree, prefix }, options);
  // The order of files only shows if several names cause an error or a warning.
  const base = toByteString(prefixOf(options.root));
  const oddlyNamed = files.filter(({ path }) => {
    const name = path.slice(base.length);
    return isOddFileName(name) || isReservedFileName(name);
  });
  return oddlyNamed.length > 1 ? sortAsOnDisk(files) : files;
}

/** Lists the files in a part of a repository, and those in nested repositories and in folders behind links. */
async function listPart(part: ListedPart, options: ListTrackedOptions): Promise<readonly SourceFile[]> {
  const top = toByteString(prefixOf(part.place.root));
  const packageManifest = `${toByteString(prefixOf(options.root))}Cargo.toml`;
  const listedFiles: SourceFile[] = [];
  const otherPackages = new Set<string>();
  const folders: string[] = [];
  for (const { path, kind, mayBeLinkText } of await candidatesOf(part, options)) {
    const absolute = top + path;
    if (isNamed(path, 'Cargo.toml') && absolute !== packageManifest) {
      otherPackages.add(absolute.slice(0, -'Cargo.toml'.length));
    } else if (kind === 'folder') {
      folders.push(absolute);
    } else if (options.isWanted(absolute, 'file')) {
      listedFiles.push({ path: absolute, kind, isBelowLink: false, mayBeLinkText });
    }
  }
  const isOfPackage = (path: string) => otherPackages.size === 0 || !isBelowAny(path, otherPackages);
  for (const folder of folders.filter(isOfPackage)) {
    const nested = await options.repositories.nested(fromByteString(folder));
    const files =
      nested === null
        ? walkFolder(folder, { isPackageRoot: false, isWanted: options.isWanted, warn: options.warn })
        : await listPart({ ...nested, prefix: nestedPrefix(nested.place, options.root) }, options);
    for (const file of files) listedFiles.push(file);
  }
  return listedFiles.filter(({ path }) => isOfPackage(path));
}

/** Returns the listed part of a nested repository: all of it, or only the package if the repository is around it. */
function nestedPrefix(place: RepositoryPlace, packageRoot: string): string {
  const base = `${place.root}/`;
  return packageRoot.startsWith(base) ? `${toByteString(packageRoot.slice(base.length))}/` : '';
}

/** Returns true if `name` is the last component of the path. */
function isNamed(path: string, name: string): boolean {
  return path.endsWith(name) && (path.length === name.length || path[path.length - name.length - 1] === '/');
}

/** Returns true if one of `folders`, which end with a slash, contains the path. */
function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (folders.has(path.slice(0, slash + 1))) return true;
  }
  return false;
}

/** Returns the tracked entries, then the untracked ones, then the tracked ones in `target`. */
async function candidatesOf(part: ListedPart, options: ListTrackedOptions): Promise<readonly Candidate[]> {
  const { place, tree, prefix } = part;
  const top = toByteString(prefixOf(place.root));
  const target = `${prefix}target/`;
  const changes = new Map(tree.changes.map((entry) => [entry.path, entry]));
  const outsideTarget: Candidate[] = [];
  const inTarget: Candidate[] = [];
  for (const entry of tree.index) {
    const { path } = entry;
    if (!path.startsWith(prefix)) continue;
    if (path.startsWith(target)) {
      // Listed even if the file is not on disk.
      if (!entry.isConflict) inTarget.push({ path, kind: 'unknown', mayBeLinkText: false });
      continue;
    }
    const change = changes.get(path);
    if (change?.isMissing === true) continue;
    // If git found the file unchanged, it need not be looked up.
    const isUnchanged = entry.kind === 'file' && entry.isWatched && change?.isModified !== true;
    const kind = isUnchanged ? 'file' : kindOnDisk(top + path);
    if (kind === null) continue;
    outsideTarget.push({ path, kind, mayBeLinkText: entry.kind === 'symlink' && kind === 'file' });
  }
  for (const { path, kind: change } of tree.changes) {
    if (change !== 'untracked' || !path.startsWith(prefix) || path.startsWith(target)) continue;
    if (path === 'Cargo.lock') continue;
    const kind = kindOnDisk(top + path);
    if (kind === null) continue;
    if (
      kind === 'folder' &&
      isLink(top + path) &&
      (await isIgnoredAsFolder(place, path, options.repositories.git))
    )
      continue;
    outsideTarget.push({ path, kind, mayBeLinkText: false });
  }
  return [...outsideTarget, ...inTarget];
}

/** Returns the kind of a file; a link to a folder is a folder. null if it does not exist or cannot be archived. */
function kindOnDisk(path: string): Candidate['kind'] | null {
  const native = toNativePath(path);
  let stats: Stats | undefined;
  try {
    stats = lstatSync(native, { throwIfNoEntry: false });
  } catch {
    return null;
  }
  if (stats === undefined) return null;
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (!stats.isSymbolicLink()) return null;
  try {
    return statSync(native, { throwIfNoEntry: false })?.isDirectory() === true ? 'folder' : 'symlink';
  } catch {
    return 'symlink';
  }
}

function isLink(path: string): boolean {
  return lstatSync(toNativePath(path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
