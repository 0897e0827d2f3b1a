/** Bytes of a line of an index file, without its end, for what is published here. */
export const MAX_INDEX_LINE_BYTES = 128 * 1024;
/** Bytes of an index file of a crate that is published here. */
export const MAX_INDEX_FILE_BYTES = 16 * 1024 * 1024;
/**
 * The same for what is taken from an upstream: crates.io once set no limit to features, and has crates with lines of more
 * than 1 MiB and files of more than 20 MiB.
 */
export const MAX_PULLED_LINE_BYTES = 4 * 1024 * 1024;
export const MAX_PULLED_FILE_BYTES = 32 * 1024 * 1024;
