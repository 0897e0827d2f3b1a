/**
 * The reference release: the cargo that this program behaves like, as `cargo -V` and user agents name it. Without commit
 * and date, like a cargo that is built from its crate. Without `rustc`, this program assumes the Rust of this release.
 */
export const CARGO_RELEASE = '1.99.0';
