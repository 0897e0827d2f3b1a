/** Flags of the program and of several commands. Cargo Book: cargo(1), cargo-metadata(1), cargo-package(1). */
import { type Flag, type FlagWithValue, rejectedFlag, switchFlag, valueFlag } from './flag.ts';

/** Flags that are allowed before and after the name of the command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  switchFlag('verbose', 'Print more details', {
    cargoHelp: 'Use verbose output (-vv very verbose/build.rs output)',
    short: 'v',
    kind: 'count',
  }),
  switchFlag('quiet', 'Print only the result and errors', {
    cargoHelp: 'Do not print log messages',
    short: 'q',
  }),
  valueFlag('color', 'WHEN', {
    help: 'When to use color',
    cargoHelp: 'Coloring',
    values: ['auto', 'always', 'never'],
    ignoresCase: true,
  }),
  switchFlag('locked', 'Fail if `Cargo.lock` would change', {
    cargoHelp: 'Assert that `Cargo.lock` will remain unchanged',
    heading: 'Manifest Options',
  }),
  switchFlag('offline', 'Do not use the network', {
    cargoHelp: 'Run without accessing the network',
    heading: 'Manifest Options',
  }),
  switchFlag('frozen', 'Same as --locked --offline', {
    cargoHelp: 'Equivalent to specifying both --locked and --offline',
    heading: 'Manifest Options',
  }),
  rejectedFlag('unsupported-short-config', { flag: '--config' }, { long: null, short: 'c' }),
  valueFlag('config', 'KEY=VALUE|PATH', {
    help: 'Set a configuration value, or read another configuration file',
    cargoHelp: 'Override a configuration value',
    kind: 'list',
  }),
  rejectedFlag('unsupported-lowercase-unstable', { flag: '-Z' }, { long: null, short: 'z' }),
  valueFlag('unstable-features', 'FLAG', {
    long: null,
    short: 'Z',
    kind: 'list',
    help: 'Enable an unstable feature; `-Z help` lists them',
    cargoHelp: "Unstable (nightly-only) flags, see '-Z help' for details",
  }),
];

/** Flags that are allowed only before the name of the command. */
export const PROGRAM_FLAGS: readonly Flag[] = [
  switchFlag('print-version', 'Print the version', {
    cargoHelp: 'Print version info and exit',
    long: 'version',
    short: 'V',
  }),
  switchFlag('list-commands', 'List all commands and aliases', {
    cargoHelp: 'List installed commands',
    long: 'list',
  }),
  valueFlag('directory', 'DIRECTORY', {
    long: null,
    short: 'C',
    help: 'Change to DIRECTORY before doing anything else',
    cargoHelp: 'Change to DIRECTORY before doing anything (nightly-only)',
  }),
];

/** Suggests `--quiet` for `--silent`. */
export const SILENT_SUGGESTION: Flag = rejectedFlag('silent', { flag: '--quiet' }, { short: 's' });

/** Flags that enable features. */
export const FEATURE_FLAGS: readonly Flag[] = [
  valueFlag('features', 'FEATURES', {
    short: 'F',
    kind: 'list',
    help: 'Features to enable, separated by spaces or commas',
    cargoHelp: 'Space or comma separated list of features to activate',
    heading: 'Feature Selection',
  }),
  switchFlag('all-features', 'Enable all features', {
    cargoHelp: 'Activate all available features',
    heading: 'Feature Selection',
  }),
  switchFlag('no-default-features', 'Do not enable the `default` feature', {
    cargoHelp: 'Do not activate the `default` feature',
    heading: 'Feature Selection',
  }),
];

/** Returns the flags that select the manifest; `more` says how often `--manifest-path` may be given. */
export function manifestPathFlags(more: Pick<FlagWithValue, 'kind' | 'isSingleInCargo'>): readonly Flag[] {
  return [
    valueFlag('manifest-path', 'PATH', {
      short: 'm',
      help: 'Path to the `Cargo.toml` to use',
      cargoHelp: 'Path to Cargo.toml',
      heading: 'Manifest Options',
      ...more,
    }),
    rejectedFlag('path', { flag: '--manifest-path' }),
  ];
}

/** The flags that select one manifest. */
export const MANIFEST_PATH_FLAGS: readonly Flag[] = manifestPathFlags({ kind: 'value' });

/** `--ignore-rust-version`, for commands that select versions. */
export const IGNORE_RUST_VERSION: Flag = switchFlag(
  'ignore-rust-version',
  'Ignore the `rust-version` of packages',
  { cargoHelp: 'Ignore `rust-version` specification in packages', heading: 'Manifest Options' },
);

/** Returns the flags that select the registry. `cargoHelp` is their help in compatibility mode. */
export function registryFlags(cargoHelp: {
  readonly index: string;
  readonly registry: string;
}): readonly Flag[] {
  return [
    valueFlag('index', 'INDEX', {
      help: 'Index URL of the registry to use',
      cargoHelp: cargoHelp.index,
      conflictsWith: 'registry',
    }),
    registryFlag(cargoHelp.registry),
  ];
}

/** Returns the flag that names the registry. `cargoHelp` is its help in compatibility mode. */
export function registryFlag(cargoHelp: string): Flag {
  return valueFlag('registry', 'REGISTRY', { help: 'Name of the registry to use', cargoHelp });
}

/** Returns the flags that select workspace members, with their help in both modes. */
export function packageFlags(help: PackageFlagTexts, cargoHelp: PackageFlagTexts): readonly Flag[] {
  const heading = 'Package Selection';
  return [
    valueFlag('package', 'SPEC', {
      short: 'p',
      kind: 'list',
      valueIsOptional: true,
      help: help.package,
      cargoHelp: cargoHelp.package,
      heading,
    }),
    switchFlag('workspace', help.workspace, { cargoHelp: cargoHelp.workspace, heading }),
    valueFlag('exclude', 'SPEC', {
      kind: 'list',
      help: help.exclude,
      cargoHelp: cargoHelp.exclude,
      heading,
    }),
    rejectedFlag('unsupported-short-exclude', { flag: '--exclude' }, { long: null, short: 'x' }),
  ];
}

/** The help of the flags that select workspace members. */
interface PackageFlagTexts {
  readonly package: string;
  readonly workspace: string;
  readonly exclude: string;
}

/** Suggests `--target` for `-t`. */
export const SHORT_TARGET_SUGGESTION: Flag = rejectedFlag(
  'unsupported-short-target',
  { flag: '--target' },
  { long: null, short: 't' },
);

/** Flags for the build: targets, output folder and number of parallel jobs. */
export const BUILD_FLAGS: readonly Flag[] = [
  valueFlag('target', 'TRIPLE', {
    kind: 'list',
    valueIsOptional: true,
    help: 'Target to build for',
    cargoHelp: 'Build for the target triple',
    heading: 'Compilation Options',
  }),
  SHORT_TARGET_SUGGESTION,
  valueFlag('target-dir', 'DIRECTORY', {
    help: 'Folder for build output and `.crate` files',
    cargoHelp: 'Directory for all generated artifacts',
    heading: 'Compilation Options',
  }),
  valueFlag('jobs', 'N', {
    short: 'j',
    allowsDash: true,
    help: 'Number of parallel jobs [default: number of CPUs]',
    cargoHelp: 'Number of parallel jobs, defaults to # of CPUs.',
    heading: 'Compilation Options',
  }),
  switchFlag('keep-going', 'Continue the build after an error', {
    cargoHelp: 'Do not abort the build as soon as there is an error',
    heading: 'Compilation Options',
  }),
];
