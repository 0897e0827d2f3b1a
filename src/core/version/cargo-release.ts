/**
 * The reference release: tsreg behaves like this cargo, and `cargo -V` and user agents name it. It has no commit and
 * date, like a cargo built from its crate. Without `rustc`, tsreg assumes the Rust of this release.
 * To change it, follow "Move to another release" in docs/compatibility.md.
 */
export const CARGO_RELEASE = '1.99.0';
