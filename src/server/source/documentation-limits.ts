/** Limits of the documentation of a version. `docs/serve-api.md` names them. */

/** Bytes of an uploaded archive. */
export const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

/** Limits for the content of an archive. */
export interface DocumentationLimits {
  /** Bytes of the unpacked archive. */
  readonly maxUnpackedBytes: number;
  /** Bytes of the stored files, each of which is compressed separately. */
  readonly maxPackedBytes: number;
  /** Bytes of one file. */
  readonly maxFileBytes: number;
  /** Files and folders. */
  readonly maxEntries: number;
  /** Characters of a path. */
  readonly maxPathChars: number;
  /** Bytes of the index: the paths and sizes of all files. */
  readonly maxIndexBytes: number;
}

/** The limits of all archives. */
export const DOCUMENTATION_LIMITS: DocumentationLimits = {
  maxUnpackedBytes: 256 * 1024 * 1024,
  maxPackedBytes: 128 * 1024 * 1024,
  maxFileBytes: 64 * 1024 * 1024,
  maxEntries: 50_000,
  maxPathChars: 500,
  maxIndexBytes: 4 * 1024 * 1024,
};
