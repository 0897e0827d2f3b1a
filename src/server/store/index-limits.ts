/** Maximum bytes of an index line, without its line end, of a crate that is published here. */
export const MAX_INDEX_LINE_BYTES = 128 * 1024;
/** Maximum bytes of the index file of a crate that is published here. */
export const MAX_INDEX_FILE_BYTES = 16 * 1024 * 1024;
/**
 * The same limits for index files of an upstream: crates.io did not always limit features, and has crates with lines of
 * more than 1 MiB and files of more than 20 MiB.
 */
export const MAX_MIRRORED_LINE_BYTES = 4 * 1024 * 1024;
export const MAX_MIRRORED_FILE_BYTES = 32 * 1024 * 1024;
