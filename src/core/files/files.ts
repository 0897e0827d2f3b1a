/**
 * The file system interface for pure code: synchronous, and limited to these four functions, so that their results can
 * be cached and compared later.
 */

/** The kind of a path, symbolic links followed. */
export type Kind = 'file' | 'directory' | 'other';

/** An entry of a directory. */
export interface Entry {
  readonly name: string;
  /** The kind of the entry itself; a symbolic link is not followed. */
  readonly kind: Kind | 'symlink';
}

/** Read access to files. Paths are absolute. If nothing exists there, results other than `exists` are `null`. */
export interface Files {
  /**
   * Returns the whole content; null if absent. Throws Node's error for any other failure (a directory, no permission).
   */
  read(path: string): Uint8Array | null;
  /**
   * Returns the entries sorted by name (bytewise), without names that are not UTF-8; null if absent or not a directory.
   * Throws Node's error for a directory that it cannot read.
   */
  list(path: string): readonly Entry[] | null;
  /** Returns the kind of a path, links followed; null if absent or a dangling link. */
  kind(path: string): Kind | null;
  /** Returns true if the path exists, links followed. Faster than `kind`. */
  exists(path: string): boolean;
}

/** A file and its folder. */
export interface PlacedFile {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
}
