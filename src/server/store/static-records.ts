/** Interfaces that keep static files up to date with the records. */

/**
 * Files for a static server or a CDN. Paths are relative and consist of safe characters. Methods throw as those of
 * `Blobs` do.
 */
export interface StaticFiles {
  /** Returns null if the file does not exist. */
  read(path: string): Promise<{ readonly text: string; readonly etag: string } | null>;
  stat(path: string): Promise<{ readonly size: number; readonly etag: string } | null>;
  /**
   * Replaces the file with the tag `etag`, or creates a file if `etag` is null. Returns false, and changes nothing, if
   * another file is there.
   */
  write(path: string, text: string, options: StaticWriteOptions): Promise<boolean>;
  /** Copies a blob to a file. Returns false if there is no such blob. */
  copyBlob(blobKey: string, path: string): Promise<boolean>;
  /** Deletes a file if it exists. */
  delete(path: string): Promise<void>;
  /** Lists all files whose paths start so. */
  list(beginning: string): AsyncIterable<{ readonly path: string; readonly size: number }>;
}

/** Options for writing a file. */
export interface StaticWriteOptions {
  /** Tag of the file to replace; null for none. */
  readonly etag: string | null;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly signal?: AbortSignal;
}

/**
 * The records of outdated static files. Every change of a crate's index file increments the crate's generation in the
 * same transaction. Every method is one transaction.
 */
export interface StaticRecords {
  /** Returns outdated crates that no writer has reserved: lower-case names after `after`, in order. */
  listStaticChanges(request: {
    readonly after: string;
    readonly limit: number;
    readonly atMs: number;
  }): Promise<readonly string[]>;
  /**
   * Reserves a crate for one writer until `untilMs`. Returns `unchanged` if it is up to date, `busy` if another writer
   * holds it.
   */
  beginStaticWrite(
    reservation: StaticReservation,
  ): Promise<StaticWrite | { readonly kind: 'unchanged' | 'busy' }>;
  /**
   * Ends a reservation. The files are written up to `generation`; 0 if they are not. Returns false if another writer
   * has taken over: the crate then counts as changed, because the written files may be too old.
   */
  endStaticWrite(end: {
    readonly lowerCaseName: string;
    readonly holder: string;
    readonly generation: number;
  }): Promise<boolean>;
  /** Marks a crate as changed, even if it does not exist, so that its files are written again. */
  markStaticChange(lowerCaseName: string): Promise<void>;
}

/** A reservation of a crate for one writer. */
export interface StaticReservation {
  readonly lowerCaseName: string;
  /** Unique ID of the writer. */
  readonly holder: string;
  readonly atMs: number;
  readonly untilMs: number;
}

/** The content of a crate's static files. */
export interface StaticWrite {
  readonly kind: 'begun';
  /** Increases with every change of the crate, and never restarts. */
  readonly generation: number;
  /** The name as published. */
  readonly crate: string;
  /** The index file; empty if the crate was deleted. */
  readonly body: string;
  readonly archives: readonly { readonly checksum: string; readonly blobKey: string }[];
}
