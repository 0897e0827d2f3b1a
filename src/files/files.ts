/**
 * How pure code looks at the file system: synchronously, and never learning more than these four answers, so that they
 * can be recorded and compared later.
 */

/** What stands at a path, symbolic links followed. */
export type Kind = 'file' | 'directory' | 'other';

/** One name in a directory. */
export interface Entry {
  readonly name: string;
  /** What the entry itself is; a symbolic link is not followed. */
  readonly kind: Kind | 'symlink';
}

/** Read access to files. Paths are absolute. Where nothing is there every other answer is `null`. */
export interface Files {
  /** Whole content, or null if absent. Any other failure (a directory, no permission) is thrown as Node throws it. */
  read(path: string): Uint8Array | null;
  /**
   * Entries sorted by name (bytewise), or null if the directory is absent or is not a directory. Names that are not
   * UTF-8 are left out.
   */
  list(path: string): readonly Entry[] | null;
  /** What is there, links followed; null if absent or a dangling link. */
  kind(path: string): Kind | null;
  /** True if anything is there, links followed; takes less time than `kind`. */
  exists(path: string): boolean;
}

/** A file by the folder that it is in. */
export interface PlacedFile {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
}
