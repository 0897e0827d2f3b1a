/** The files below a folder, links followed. Cargo Book: The Manifest Format, the exclude and include fields. */
import { existsSync, lstatSync, statSync, type Dirent, type Stats } from 'node:fs';
import { fromByteString, toNativePath } from '../../core/files/byte-path.ts';
import { listUnsorted } from './disk-order.ts';
import { prefixOf } from './parent-path.ts';
import type { PathKind } from './ignore-pattern.ts';
import type { SourceFile } from './source-file.ts';

/** Options for walking a folder. Paths are absolute byte strings. */
export interface WalkOptions {
  /** True if `root` is the package's own folder. It is always visited, even with a Cargo.toml, but not its `target`. */
  readonly isPackageRoot: boolean;
  /** Returns true if a file is wanted, or if a folder may contain wanted files. */
  readonly isWanted: (path: string, kind: PathKind) => boolean;
  readonly warn: (text: string) => void;
}

/** A folder that is being visited. */
interface Folder {
  readonly path: string;
  /** 0 for `root`, 1 for the folders in it. */
  readonly depth: number;
  readonly isBelowLink: boolean;
  readonly parent: Folder | null;
}

/**
 * Returns files and links to files below `root`, in the system's order like cargo, which reports the first of several
 * invalid names. Leaves out nested packages, and anything that is not a file or a folder. Includes inaccessible paths,
 * so that reading them fails later. Warns about links to a parent folder.
 */
export function walkFolder(root: string, options: WalkOptions): readonly SourceFile[] {
  const files: SourceFile[] = [];
  visitEntry({ path: root, parent: null, isLink: isLinkAt(root), kind: null }, options, files);
  return files;
}

type EntryKind = 'file' | 'folder' | 'other';

interface VisitedEntry {
  readonly path: string;
  readonly parent: Folder | null;
  readonly isLink: boolean;
  /** Links followed; null if it was not looked up. */
  readonly kind: EntryKind | null;
}

/** Adds a file, or the files in a folder, to `files`. */
function visitEntry(entry: VisitedEntry, options: WalkOptions, files: SourceFile[]): void {
  const { path, parent, isLink } = entry;
  const kind = entry.kind ?? followedKind(path);
  const isBelowLink = parent?.isBelowLink ?? false;
  if (kind === null) {
    if (options.isWanted(path, 'file'))
      files.push({ path, kind: 'unknown', isBelowLink: false, mayBeLinkText: false });
    return;
  }
  const isFolder = kind === 'folder';
  // As in cargo, before the filter: there is a warning about a loop even at a path that is not wanted.
  const ancestor = isFolder && isLink ? linkedAncestor(path, parent) : null;
  if (ancestor !== null) {
    const child = fromByteString(path);
    const above = fromByteString(ancestor.path);
    options.warn(`File system loop found: ${child} points to an ancestor ${above}`);
    return;
  }
  const isTop = parent === null && options.isPackageRoot;
  if (!isTop && !options.isWanted(path, isFolder ? 'folder' : 'file')) return;
  if (!isFolder) {
    if (kind === 'file')
      files.push({ path, kind: isLink ? 'symlink' : 'file', isBelowLink, mayBeLinkText: false });
    return;
  }
  const depth = parent === null ? 0 : parent.depth + 1;
  if (options.isPackageRoot && depth === 1 && path.endsWith('/target')) return;
  visitFolder({ path, depth, isBelowLink: isBelowLink || isLink, parent }, { options, files, isTop });
}

interface FolderVisit {
  readonly options: WalkOptions;
  readonly files: SourceFile[];
  /** True for the package's own folder, which is visited even with a manifest. */
  readonly isTop: boolean;
}

/** Adds the files in a folder. Leaves out a nested package. */
function visitFolder(folder: Folder, { options, files, isTop }: FolderVisit): void {
  const prefix = prefixOf(folder.path);
  let entries: Dirent[];
  try {
    entries = listUnsorted(folder.path);
  } catch {
    if (options.isWanted(folder.path, 'folder'))
      files.push({ path: folder.path, kind: 'unknown', isBelowLink: false, mayBeLinkText: false });
    return;
  }
  const manifest = isTop ? undefined : entries.find(({ name }) => name === 'Cargo.toml');
  if (
    manifest !== undefined &&
    (!manifest.isSymbolicLink() || existsSync(toNativePath(`${prefix}Cargo.toml`)))
  )
    return;
  for (const entry of entries) {
    const isLink = entry.isSymbolicLink();
    const kind = isLink ? null : kindOf(entry);
    visitEntry({ path: prefix + entry.name, parent: folder, isLink, kind }, options, files);
  }
}

function kindOf(entry: Dirent | Stats): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** Returns the kind of a path, links followed; null if it is inaccessible or a dangling link. */
function followedKind(path: string): EntryKind | null {
  const stats = statOf(path);
  return stats === null ? null : kindOf(stats);
}

function isLinkAt(path: string): boolean {
  return lstatSync(toNativePath(path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Returns the folder above that a link leads to; null if it leads to another one. */
function linkedAncestor(path: string, parent: Folder | null): Folder | null {
  const target = fileIdOf(path);
  for (let folder = parent; folder !== null && target !== null; folder = folder.parent) {
    if (fileIdOf(folder.path) === target) return folder;
  }
  return null;
}

/** Returns what only this file has; null if it is inaccessible. The numbers of NTFS need all digits of a `bigint`. */
function fileIdOf(path: string): string | null {
  try {
    const stats = statSync(toNativePath(path), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
  } catch {
    return null;
  }
}

/** Returns the state of a path, links followed; null if it is inaccessible or a dangling link. */
function statOf(path: string): Stats | null {
  try {
    return statSync(toNativePath(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
