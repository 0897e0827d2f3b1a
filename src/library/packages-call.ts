/** The common parts of the functions that make archives of packages. */
import type { PackagesOptions } from '../commands/shared/packaging/open-packages.ts';
import { type CallOptions, CALL_CHECKS, type SharedOptions } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';
import { checkRegistry, REGISTRY_OPTION_CHECKS, type RegistryOptions } from './registry-call.ts';

/** Options that select packages and control packaging. */
export interface PackagesCallOptions extends CallOptions, RegistryOptions {
  /** Values as for `-p`: package id specifications, or name patterns. */
  readonly packages?: readonly string[] | undefined;
  /** Selects all members. */
  readonly workspace?: boolean | undefined;
  /** Values as for `--exclude`. */
  readonly exclude?: readonly string[] | undefined;
  /** Skips the verification build, which needs `cargo` on `PATH`. */
  readonly noVerify?: boolean | undefined;
  /** Also packages uncommitted files. */
  readonly allowDirty?: boolean | undefined;
  /** Target triples to build for. */
  readonly targets?: readonly string[] | undefined;
  /** Number of parallel build jobs; negative to subtract from the number of processors: with 8 of them, -2 means 6. */
  readonly jobs?: number | 'default' | undefined;
  /** Builds as much as possible after a failure. */
  readonly keepGoing?: boolean | undefined;
  /** Path of the target directory, absolute or relative to `cwd`. */
  readonly targetDir?: string | undefined;
}

/** The checks for `PackagesCallOptions`. */
export const PACKAGES_CALL_CHECKS: OptionChecks<PackagesCallOptions> = {
  ...CALL_CHECKS,
  ...REGISTRY_OPTION_CHECKS,
  packages: TEXTS,
  workspace: SWITCH,
  exclude: TEXTS,
  noVerify: SWITCH,
  allowDirty: SWITCH,
  targets: TEXTS,
  jobs: either(NUMBER, oneOf('default')),
  keepGoing: SWITCH,
  targetDir: TEXT,
};

/** Returns these options in the form that operations take. */
export function packagesOptions(
  options: PackagesCallOptions,
  { config, verbosity, toolchain, ...shared }: SharedOptions,
): PackagesOptions {
  const { targets = [], jobs, targetDir } = options;
  return {
    ...shared,
    config: targetDir === undefined ? config : config.withTargetDirectory(targetDir),
    registry: checkRegistry(options),
    selection: {
      packages: options.packages ?? [],
      workspace: options.workspace ?? false,
      exclude: options.exclude ?? [],
    },
    allowsDirty: options.allowDirty ?? false,
    verifies: !(options.noVerify ?? false),
    build: {
      targets: targets.length === 0 ? null : targets,
      jobs: jobs === undefined ? null : String(jobs),
      keepGoing: options.keepGoing ?? false,
      verbosity,
      globalFlags: (options.config ?? []).flatMap((argument) => ['--config', argument]),
      toolchain,
    },
    maxWaitMs: null,
  };
}
