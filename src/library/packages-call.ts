/** What the functions have in common that make archives of packages. */
import type { PackagesOptions } from '../ops/workspace/open-packages.ts';
import type { CallOptions, SharedOptions } from './call.ts';
import { checkRegistry, type RegistryOptions } from './registry-call.ts';

/** Which packages to package, and how. */
export interface PackagesCallOptions extends CallOptions, RegistryOptions {
  /** Each as behind `-p`: a package id specification, or a pattern of names. */
  readonly packages?: readonly string[];
  readonly workspace?: boolean;
  /** Each as behind `--exclude`. */
  readonly exclude?: readonly string[];
  readonly noVerify?: boolean;
  readonly allowDirty?: boolean;
  /** Target triples to build for. */
  readonly targets?: readonly string[];
  readonly jobs?: number | 'default';
  readonly keepGoing?: boolean;
  /** Absolute or from `cwd`. */
  readonly targetDir?: string;
}

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
