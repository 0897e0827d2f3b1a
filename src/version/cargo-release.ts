/** The release of cargo that this program does as it does, as `cargo -V` and user agents name it. */
export const CARGO_RELEASE = '1.95.0 (f2d3ce0bd 2026-03-21)';
