/** What the functions have in common that make archives of packages. */
import type { PackagesOptions } from '../ops/workspace/open-packages.ts';
import { type CallOptions, OF_CALLS, type SharedOptions } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';
import { checkRegistry, OF_REGISTRIES, type RegistryOptions } from './registry-call.ts';

/** Which packages to package, and how. */
export interface PackagesCallOptions extends CallOptions, RegistryOptions {
  /** Each as behind `-p`: a package id specification, or a pattern of names. */
  readonly packages?: readonly string[] | undefined;
  /** All members. */
  readonly workspace?: boolean | undefined;
  /** Each as behind `--exclude`. */
  readonly exclude?: readonly string[] | undefined;
  /** Does not build what was packaged, which takes a `cargo` on `PATH`. */
  readonly noVerify?: boolean | undefined;
  /** Packages what is not committed, too. */
  readonly allowDirty?: boolean | undefined;
  /** Target triples to build for. */
  readonly targets?: readonly string[] | undefined;
  /** How much is built at once; below 0 so many fewer than there are processors. */
  readonly jobs?: number | 'default' | undefined;
  /** Builds what else can be built once something failed. */
  readonly keepGoing?: boolean | undefined;
  /** Absolute or from `cwd`. */
  readonly targetDir?: string | undefined;
}

/** What those may hold. */
export const OF_PACKAGES_CALLS: OptionChecks<PackagesCallOptions> = {
  ...OF_CALLS,
  ...OF_REGISTRIES,
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

/** The same for operations. */
export function packagesOptions(
  options: PackagesCallOptions,
  { config, ...shared }: SharedOptions,
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
    targets: targets.length === 0 ? null : targets,
    jobs: jobs === undefined ? null : String(jobs),
    keepGoing: options.keepGoing ?? false,
    globalFlags: (options.config ?? []).flatMap((each) => ['--config', each]),
    noVerify: options.noVerify ?? false,
    allowDirty: options.allowDirty ?? false,
  };
}
