/**
 * The reference: the release of cargo that this program does as, as `cargo -V` and user agents name it. Without commit
 * and date, as a cargo that is built from its crate. On machines without a compiler, Rust is taken to be of this release.
 */
export const CARGO_RELEASE = '1.99.0';
