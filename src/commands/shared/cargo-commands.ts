/** cargo's commands that tsreg does not have. Cargo Book: Cargo Commands. */

/** Built-in commands, which an alias cannot replace. */
export const CARGO_COMMANDS: readonly string[] = [
  'add',
  'bench',
  'build',
  'check',
  'clean',
  'config',
  'doc',
  'fix',
  'git-checkout',
  'init',
  'install',
  'new',
  'remove',
  'report',
  'run',
  'rustc',
  'rustdoc',
  'test',
  'uninstall',
  'verify-project',
];

/** Built-in aliases of these commands. The configuration can replace them. */
export const CARGO_ALIASES: readonly string[] = ['b', 'c', 'd', 'r', 'rm', 't'];

/** Commands that come with Rust. */
export const RUST_COMPONENTS: readonly string[] = ['clippy', 'fmt', 'miri'];
