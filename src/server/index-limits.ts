/** Bytes of a line of an index file, without its end: what is published, and what is taken from an upstream. */
export const MAX_INDEX_LINE_BYTES = 128 * 1024;
/** Bytes of an index file. */
export const MAX_INDEX_FILE_BYTES = 16 * 1024 * 1024;
