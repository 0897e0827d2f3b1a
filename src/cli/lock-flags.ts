/** What the flags say that the commands about the lock file have in common. */
import type { LockOptions } from '../ops/lock/lock-run.ts';
import { type Invocation, isGiven, valueOf } from './command.ts';

/** The options of such a command, as far as all of them have them. */
export function lockFlags({ values, config, offline, toolchain, shell }: Invocation): LockOptions {
  return {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    ignoreRustVersion: isGiven(values, 'ignore-rust-version'),
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    toolchain,
    verbosity: shell.verbosity,
  };
}
