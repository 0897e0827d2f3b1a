/** Flags that the commands on the resolved graph share. */
import { type Invocation, isGiven, valueOf, valuesOf } from '../command.ts';
import type { WorkspaceOptions } from './workspace-run.ts';

/** Returns the options that the commands on the resolved graph share. */
export function workspaceFlags({ values, config, offline, toolchain, shell }: Invocation): WorkspaceOptions {
  return {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    features: valuesOf(values, 'features'),
    allFeatures: isGiven(values, 'all-features'),
    noDefaultFeatures: isGiven(values, 'no-default-features'),
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    lockfilePath: null,
    toolchain,
    verbosity: shell.verbosity,
  };
}
