/** The folders of an archive. */
import { ORIGINAL_MANIFEST, type SourceFile } from '../../source/crate-files.ts';

/** Maximum files and folders on a page. */
export const MAX_SHOWN = 2000;

/** A folder with everything in it. */
export interface SourceFolder {
  /** Empty for the whole archive. */
  readonly path: string;
  /** The direct folders by name, and the direct files with the original manifest first. */
  readonly folders: readonly SourceFolder[];
  readonly files: readonly SourceFile[];
  /** Number and bytes of all files, also in its folders. */
  readonly fileCount: number;
  readonly size: number;
  /** False if its folders are without their content, since a page could not show all of it. */
  readonly isWhole: boolean;
}

/**
 * Returns the folder `path` of an archive with `files`; null if there is none. `path` is empty for the whole archive.
 */
export function folderOf(files: readonly SourceFile[], path: string): SourceFolder | null {
  const prefix = path === '' ? '' : `${path}/`;
  const inside = files.filter((file) => file.path.startsWith(prefix));
  if (inside.length === 0) return null;
  return makeFolder(path, inside, fitsPage(inside, prefix.length) ? ALL_LEVELS : 1);
}

/** Returns the last component of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns true if a page can show all files and the folders in their paths after `start`. Stops early if it cannot. */
function fitsPage(files: readonly SourceFile[], start: number): boolean {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let end = path.lastIndexOf('/'); end >= start; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
      if (files.length + folders.size > MAX_SHOWN) return false;
    }
  }
  return files.length <= MAX_SHOWN;
}

/** `levels` of `makeFolder` for a folder with everything in it. */
const ALL_LEVELS = Number.POSITIVE_INFINITY;

/**
 * Returns a folder with its content down to `levels`: 0 for no content, 1 for its own files and empty folders. `inside`
 * are the files whose paths start with that of the folder.
 */
function makeFolder(path: string, inside: readonly SourceFile[], levels: number): SourceFolder {
  const start = path === '' ? 0 : path.length + 1;
  const files: SourceFile[] = [];
  const byFolder = new Map<string, SourceFile[]>();
  for (const file of levels === 0 ? [] : inside) {
    const end = file.path.indexOf('/', start);
    if (end === -1) files.push(file);
    else {
      const folder = file.path.slice(0, end);
      const siblings = byFolder.get(folder);
      if (siblings === undefined) byFolder.set(folder, [file]);
      else siblings.push(file);
    }
  }
  const folders = [...byFolder]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, contents]) => makeFolder(folder, contents, levels - 1));
  return {
    path,
    folders,
    files: files.sort((a, b) => rank(a.path) - rank(b.path) || (a.path < b.path ? -1 : 1)),
    fileCount: inside.length,
    isWhole: levels === ALL_LEVELS,
    size: inside.reduce((total, { size }) => total + size, 0),
  };
}

/** Orders the manifest that people wrote before other files. */
function rank(path: string): number {
  return path === ORIGINAL_MANIFEST ? 0 : 1;
}
