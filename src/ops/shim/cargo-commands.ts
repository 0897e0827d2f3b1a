/** The commands of cargo that tsreg lacks. Cargo Book: Cargo Commands. */

/** Commands of cargo that no alias can stand for. */
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

/** Other names that cargo has for some of them, unless configuration has its own. */
export const CARGO_ALIASES: readonly string[] = ['b', 'c', 'd', 'r', 'rm', 't'];

/** Programs that come with Rust. */
export const RUST_COMPONENTS: readonly string[] = ['clippy', 'fmt', 'miri'];
