/** Folders of paths with `/` between components. */

/** Returns a path without its last component; empty if it has only one. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** Returns the start of all paths in a folder: its path with a slash at the end. */
export function prefixOf(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}
