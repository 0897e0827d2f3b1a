/** The identity of crates.io, the default registry. */

/** The domain in its addresses. */
export const CRATES_IO_DOMAIN = 'crates.io';
/** Its name in the configuration. */
export const CRATES_IO_NAME = 'crates-io';
/** The URL of its git index. It identifies crates.io for every protocol. */
export const CRATES_IO_INDEX = `https://github.com/rust-lang/${CRATES_IO_DOMAIN}-index`;
/** The URL of its sparse index, without `sparse+`. */
export const CRATES_IO_SPARSE_INDEX = `https://index.${CRATES_IO_DOMAIN}/`;
