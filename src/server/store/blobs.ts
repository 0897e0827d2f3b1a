/** The interface of the blob store. */
import type { StaticFiles } from './static-records.ts';

/**
 * Maximum number of connections that read from an object store. `server/http` derives limits from it: each streamed
 * download uses one of them.
 */
export const MAX_READING_CONNECTIONS = 256;

/** The content of a blob: a `.crate`, or the documentation of a version. */
export type BlobKind = 'crate' | 'docs';

/** The `.crate` files and documentation. Each blob gets a new key, which never refers to other bytes. */
export interface Blobs {
  /** Begins a blob, which is invisible before `finish`. It contains a `.crate`, unless `kind` is given. */
  begin(kind?: BlobKind): Promise<BlobWriter>;
  /** Returns null if there is no such blob. `range` is in bytes, includes both ends and lies within the blob. */
  open(key: string, range?: ByteRange): Promise<BlobContent | null>;
  /** Returns null if there is no such blob. */
  stat(key: string): Promise<BlobInfo | null>;
  /** Deletes a blob if it exists. */
  delete(key: string): Promise<void>;
  /** Yields all finished blobs. */
  list(): AsyncIterable<BlobInfo>;
  /** Stores a blob of another store under its key, in place of an existing one. Throws `checksum` for other bytes. */
  restore(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Throws if blobs cannot be written, for a health check. */
  ping(): Promise<void>;
  /** Returns a URL of the store at which anyone can read a blob for a while; absent if the store has none. */
  readonly signedUrl?: (key: string, options: SignedUrlOptions) => Promise<string>;
  /** Returns counts of requests to the store; absent if it needs no requests. */
  readonly figures?: () => BlobFigures;
  /** Static files next to the blobs; absent if the store has none. */
  readonly staticFiles?: StaticFiles;
}

/** Properties of a signed URL. */
export interface SignedUrlOptions {
  readonly expiresInSeconds: number;
  /** File name for the reader, without quotes and slashes. */
  readonly fileName: string;
}

/** Counts of requests since the start. */
export interface BlobFigures {
  readonly requests: number;
  /** Requests that repeated a failed one. */
  readonly repeats: number;
  /** Requests that failed permanently. */
  readonly failures: number;
}

/** A range of bytes, including both ends. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Properties of a blob that are known without reading it. */
export interface BlobInfo {
  readonly key: string;
  readonly size: number;
  readonly changedAtMs: number;
}

/** A blob to read. */
export interface BlobContent {
  /** Size of the whole blob. */
  readonly size: number;
  /** Must be read to its end or cancelled. */
  readonly stream: ReadableStream<Uint8Array>;
}

/** A blob that is being written. It ends with exactly one of `finish` and `discard`. */
export interface BlobWriter {
  write(chunk: Uint8Array): Promise<void>;
  /** Returns the bytes written so far, in memory that nothing else uses. */
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Stores the blob. Returns when it will survive a power failure. */
  finish(): Promise<FinishedBlob>;
  /** Removes the written bytes. Allowed after a failure of the other methods. */
  discard(): Promise<void>;
}

/** A stored blob. */
export interface FinishedBlob {
  readonly key: string;
  /** Hex SHA-256. */
  readonly checksum: string;
  readonly size: number;
}
