/** Building one package with real cargo, as it stands in a folder. Cargo Book: cargo package. */
import { keepFile } from '../../disk/kept-file.ts';
import { joinPath } from '../../files/path.ts';
import { formatUnpinnedUrl } from '../../package-id/source-url.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { RegistryOverlay } from '../../sources/overlay-source.ts';
import { formatFeatureValue } from '../../summary/feature-value.ts';
import type { CargoProgram } from '../../toolchain/find-cargo.ts';
import { runCargo } from '../../toolchain/run-cargo.ts';
import { comparePartialVersions, parsePartialVersion } from '../../version/partial-version.ts';

/** What a build is asked for, beside the package. */
export interface BuildFlags {
  /** Values of `--target`, empty if there are none. */
  readonly targets: readonly string[];
  /** `--jobs` as written. */
  readonly jobs: string | null;
  readonly keepGoing: boolean;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** Global flags that hold for every cargo alike, as on the command line: `--config`, `-Z`, `--color`. */
  readonly globalFlags: readonly string[];
}

/** A package that is to be built. */
export interface BuildOptions {
  /** Absolute folder of the package. */
  readonly folder: string;
  /** True if manifests above the folder would take the package for one of theirs. */
  readonly isBelowWorkspace: boolean;
  /** Absolute folder for all that is built. */
  readonly buildFolder: string;
  /** Text of the lock file to build with, where the package has none; null where it has one. */
  readonly missingLockfile: string | null;
  readonly requested: RequestedFeatures;
  readonly flags: BuildFlags;
  readonly isOffline: boolean;
  /** Packages that count as published; null for none. */
  readonly overlay: RegistryOverlay | null;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * The variable by which cargo lays a local registry over another, as `URL=FOLDER`. Cargo's own tests use it; it is
 * what `cargo package` does for packages that need each other, and there is no setting for it.
 */
const OVERLAY_VARIABLE = '__CARGO_TEST_DEPENDENCY_CONFUSION_VULNERABILITY_DO_NOT_USE_THIS';
const OVERLAY_SINCE = '1.83';

/** True if `cargo` can build packages that need others which are only in a local registry. */
export function canOverlay(cargo: CargoProgram): boolean {
  const release = parsePartialVersion(cargo.release);
  return comparePartialVersions(release, parsePartialVersion(OVERLAY_SINCE)) >= 0;
}

/**
 * Builds the package with the development profile, with cargo's output passed through. Manifest and lock file are
 * afterwards what they were. False if cargo failed, which it has told of then.
 */
export async function buildPackage(cargo: CargoProgram, options: BuildOptions): Promise<boolean> {
  const { folder, isBelowWorkspace, missingLockfile, overlay, cwd, signal } = options;
  const manifest = keepFile(joinPath(folder, 'Cargo.toml'));
  const lockfile = keepFile(joinPath(folder, 'Cargo.lock'));
  // Only a package that is a workspace of its own is left alone by the manifests above it.
  if (isBelowWorkspace) manifest.append('\n[workspace]\n');
  if (missingLockfile !== null) lockfile.append(missingLockfile);
  try {
    const status = await runCargo(cargo, buildArguments(options), {
      cwd,
      variables: overlay === null ? {} : { [OVERLAY_VARIABLE]: overlayValue(overlay) },
      signal,
    });
    return status === 0;
  } finally {
    if (isBelowWorkspace) manifest.restore();
    lockfile.restore();
  }
}

function buildArguments({ folder, buildFolder, requested, flags, isOffline }: BuildOptions): string[] {
  const { targets, jobs, keepGoing, verbosity, globalFlags } = flags;
  const features = requested.features.map(formatFeatureValue);
  return [
    'build',
    `--manifest-path=${joinPath(folder, 'Cargo.toml')}`,
    `--target-dir=${buildFolder}`,
    ...(features.length === 0 ? [] : [`--features=${features.join(',')}`]),
    ...(requested.all ? ['--all-features'] : []),
    ...(requested.default ? [] : ['--no-default-features']),
    ...targets.map((target) => `--target=${target}`),
    ...(jobs === null ? [] : [`--jobs=${jobs}`]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(isOffline ? ['--offline'] : []),
    ...(verbosity === 'quiet' ? ['--quiet'] : []),
    ...(verbosity === 'verbose' ? ['--verbose'] : []),
    ...globalFlags,
    // A build directory of the configuration would be another one for every package.
    `--config=build.build-dir=${JSON.stringify(buildFolder)}`,
  ];
}

function overlayValue({ registry, folder }: RegistryOverlay): string {
  return `${formatUnpinnedUrl(registry, { encoded: true })}=${folder}`;
}
