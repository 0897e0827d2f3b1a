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
  /** The registries of dependencies that have a name: it by the URL of the index, as the manifest has that. */
  readonly registryNames: ReadonlyMap<string, string>;
  /** Text of the lock file to build with, where the package has none; null where it has one. */
  readonly missingLockfile: string | null;
  /** True if the configuration names another lock file than that of the package. */
  readonly hasLockfilePath: boolean;
  readonly requested: RequestedFeatures;
  readonly flags: BuildFlags;
  readonly isOffline: boolean;
  /** Packages that count as published; null for none. */
  readonly overlay: RegistryOverlay | null;
  /** Variables with a token that downloads need and that is configured nowhere; null for none. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
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
 * afterwards what they were, unless the build changed the manifest. Where downloads need a token, they come first: a build runs programs of others, which see the
 * variables that it is given. False if cargo failed, which it has told of then.
 */
export async function buildPackage(cargo: CargoProgram, options: BuildOptions): Promise<boolean> {
  const { folder, missingLockfile, overlay, downloadVariables, cwd, signal } = options;
  const manifest = keepFile(joinPath(folder, 'Cargo.toml'));
  const lockfile = keepFile(joinPath(folder, 'Cargo.lock'));
  manifest.edit((text) => manifestToBuild(text, options));
  if (missingLockfile !== null) lockfile.edit(() => missingLockfile);
  const variables = overlay === null ? {} : { [OVERLAY_VARIABLE]: overlayValue(overlay) };
  try {
    if (downloadVariables !== null) {
      const run = { cwd, variables: { ...variables, ...downloadVariables }, signal };
      if ((await runCargo(cargo, fetchArguments(options), run)) !== 0) return false;
    }
    return (await runCargo(cargo, buildArguments(options), { cwd, variables, signal })) === 0;
  } finally {
    // What the build has changed is to be seen.
    if (manifest.isAsEdited()) manifest.restore();
    lockfile.restore();
  }
}

/** The manifest of an archive, where it stands and with registries as messages are to call them. */
function manifestToBuild(text: string, { isBelowWorkspace, registryNames }: BuildOptions): string {
  const named = text.replaceAll(/^registry-index = "(.*)"$/gm, (line, url: string) => {
    const name = registryNames.get(url);
    return name === undefined ? line : `registry = ${JSON.stringify(name)}`;
  });
  // Only a package that is a workspace of its own is left alone by the manifests above it.
  return isBelowWorkspace ? `${named}\n[workspace]\n` : named;
}

function fetchArguments(options: BuildOptions): string[] {
  const { folder, flags, isOffline } = options;
  const { targets, globalFlags } = flags;
  return [
    'fetch',
    `--manifest-path=${joinPath(folder, 'Cargo.toml')}`,
    ...targets.map((target) => `--target=${target}`),
    ...(isOffline ? ['--offline'] : []),
    ...loudness(flags),
    ...globalFlags,
    ...ownLockfile(options),
  ];
}

/** The lock file of the configuration is that of the workspace, and stays as it is. */
function ownLockfile({ folder, hasLockfilePath }: BuildOptions): readonly string[] {
  const path = joinPath(folder, 'Cargo.lock');
  return hasLockfilePath ? [`--config=resolver.lockfile-path=${JSON.stringify(path)}`] : [];
}

function loudness({ verbosity }: BuildFlags): readonly string[] {
  return verbosity === 'normal' ? [] : [`--${verbosity}`];
}

function buildArguments(options: BuildOptions): string[] {
  const { folder, buildFolder, requested, flags, isOffline } = options;
  const { targets, jobs, keepGoing, globalFlags } = flags;
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
    ...loudness(flags),
    ...globalFlags,
    // A build directory of the configuration would be another one for every package.
    `--config=build.build-dir=${JSON.stringify(buildFolder)}`,
    ...ownLockfile(options),
  ];
}

function overlayValue({ registry, folder }: RegistryOverlay): string {
  return `${formatUnpinnedUrl(registry, { encoded: true })}=${folder}`;
}
