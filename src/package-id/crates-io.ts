/** What tells the default registry from all others. */

/** Its domain, from which its addresses are made. */
export const CRATES_IO_DOMAIN = 'crates.io';
/** The name under which config knows it. */
export const CRATES_IO_NAME = 'crates-io';
/** The URL of its git index, which is its identity whatever protocol is spoken. */
export const CRATES_IO_INDEX = `https://github.com/rust-lang/${CRATES_IO_DOMAIN}-index`;
/** The URL of its sparse index, without `sparse+`. */
export const CRATES_IO_SPARSE_INDEX = `https://index.${CRATES_IO_DOMAIN}/`;
