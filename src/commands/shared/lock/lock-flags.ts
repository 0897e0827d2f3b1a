/** The command-line flags of commands about the lock file. */
import type { LockOptions } from './lock-run.ts';
import { type Invocation, isGiven, valueOf } from '../command.ts';

/** Returns the options that all commands about the lock file share. Each of these commands must have their flags. */
export function lockFlags({ values, config, offline, toolchain, shell }: Invocation): LockOptions {
  return {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    toolchain,
    verbosity: shell.verbosity,
  };
}
