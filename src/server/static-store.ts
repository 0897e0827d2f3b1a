/** What keeps files for static servers in step with the records. */

/**
 * Files that a static server or a CDN can serve as they are. Paths are relative, and of safe characters. Methods throw
 * as those of `Blobs` do.
 */
export interface StaticFiles {
  /** null if it is not there. */
  read(path: string): Promise<{ readonly text: string; readonly etag: string } | null>;
  stat(path: string): Promise<{ readonly size: number; readonly etag: string } | null>;
  /** Replaces the file that had this tag, or writes it where `etag` is null and none is there; else false, and nothing changes. */
  write(path: string, text: string, options: StaticWriteOptions): Promise<boolean>;
  /** Makes a file of a blob. False if there is no such blob. */
  copyBlob(blobKey: string, path: string): Promise<boolean>;
  /** Fine if it is not there. */
  delete(path: string): Promise<void>;
  /** All files whose paths begin so. */
  list(beginning: string): AsyncIterable<{ readonly path: string; readonly size: number }>;
}

/** What a file is written with. */
export interface StaticWriteOptions {
  /** Of what is to be replaced; null for nothing. */
  readonly etag: string | null;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly signal?: AbortSignal;
}

/**
 * The part of the records that says for which crates static files are not up to date. Whatever changes the index file
 * of a crate adds one to its generation, in the same transaction. Every method is one transaction.
 */
export interface StaticRecords {
  /** Crates that are behind and that nobody is at work on, by name in lower case; those after `after`. */
  listStaticChanges(request: {
    readonly after: string;
    readonly limit: number;
    readonly atMs: number;
  }): Promise<readonly string[]>;
  /** Reserves a crate that is behind for one writer, until then. */
  beginStaticWrite(claim: StaticClaim): Promise<StaticWrite | { readonly kind: 'unchanged' | 'busy' }>;
  /**
   * Ends what was begun: up to `generation` the files are written (0 if they are not). False if the reservation had
   * gone to somebody else meanwhile: then the crate counts as changed anew, for what was written may be too old.
   */
  endStaticWrite(end: {
    readonly lowerCaseName: string;
    readonly holder: string;
    readonly generation: number;
  }): Promise<boolean>;
  /** Has a crate written anew, as if it had changed, one that is not there as well. */
  markStaticChange(lowerCaseName: string): Promise<void>;
}

/** A reservation of a crate. */
export interface StaticClaim {
  readonly lowerCaseName: string;
  /** Who writes; unique. */
  readonly holder: string;
  readonly atMs: number;
  readonly untilMs: number;
}

/** What the files of a crate are to say. */
export interface StaticWrite {
  readonly kind: 'begun';
  /** Grows with every change of the crate, and never starts again. */
  readonly generation: number;
  /** The name as it is written. */
  readonly crate: string;
  /** The index file; empty for a crate that was deleted. */
  readonly body: string;
  readonly archives: readonly { readonly checksum: string; readonly blobKey: string }[];
}
