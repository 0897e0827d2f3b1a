/** Options that `package` and `publish` share. */
import type { PackagesOptions } from './open-packages.ts';
import { type Invocation, isGiven, valueOf, valuesOf } from '../command.ts';
import type { FlagValues } from '../flag.ts';
import { maxWaitMs } from '../registry/command-options.ts';

/** Returns the options that say which packages to package, and how. */
export function packagesOptions({ values, config, offline, shell, toolchain }: Invocation): PackagesOptions {
  const targetDirectory = valueOf(values, 'target-dir');
  return {
    config: targetDirectory === null ? config : config.withTargetDirectory(targetDirectory),
    manifestPath: valueOf(values, 'manifest-path'),
    registry: { registry: valueOf(values, 'registry'), index: valueOf(values, 'index') },
    selection: {
      packages: valuesOf(values, 'package'),
      workspace: isGiven(values, 'workspace'),
      exclude: valuesOf(values, 'exclude'),
    },
    features: valuesOf(values, 'features'),
    allFeatures: isGiven(values, 'all-features'),
    noDefaultFeatures: isGiven(values, 'no-default-features'),
    allowsDirty: isGiven(values, 'allow-dirty'),
    verifies: !isGiven(values, 'no-verify'),
    build: {
      targets: isGiven(values, 'target') ? valuesOf(values, 'target') : null,
      jobs: valueOf(values, 'jobs'),
      keepGoing: isGiven(values, 'keep-going'),
      verbosity: shell.verbosity,
      globalFlags: globalFlags(values),
      toolchain,
    },
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    maxWaitMs: maxWaitMs(values),
  };
}

/** Returns the global flags for a cargo process that the command starts. */
function globalFlags(values: FlagValues): readonly string[] {
  const color = valueOf(values, 'color');
  return [
    ...valuesOf(values, 'config').flatMap((setting) => ['--config', setting]),
    ...valuesOf(values, 'unstable-features').flatMap((flag) => ['-Z', flag]),
    ...(color === null ? [] : ['--color', color]),
  ];
}
