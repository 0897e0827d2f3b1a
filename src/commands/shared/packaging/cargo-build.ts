/** Arguments, variables and manifest for a cargo that builds an unpacked package. Cargo Book: cargo package. */
import { joinPath } from '../../../core/files/path.ts';
import { formatUnpinnedUrl } from '../../../core/package-id/source-url.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { formatFeatureValue } from '../../../core/summary/feature-value.ts';
import { comparePartialVersions, parsePartialVersion } from '../../../core/version/partial-version.ts';
import type { RegistryOverlay } from '../../../io/sources/overlay-source.ts';

/** Build options besides the package. */
export interface BuildFlags {
  /** Values of `--target`; empty if it was given without a value, null if it was not given. */
  readonly targets: readonly string[] | null;
  /** The value of `--jobs`. */
  readonly jobs: string | null;
  readonly keepGoing: boolean;
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** Global flags for every cargo process, as on the command line: `--config`, `-Z`, `--color`. */
  readonly globalFlags: readonly string[];
  /** Name of the toolchain to build with; null for the active one. */
  readonly toolchain: string | null;
}

/** A build of a package in a folder. */
export interface CargoBuild {
  /** Absolute folder of the package. */
  readonly folder: string;
  readonly requested: RequestedFeatures;
  /** Absolute folder for the build output. */
  readonly buildFolder: string;
  readonly flags: BuildFlags;
  readonly isOffline: boolean;
  /** True if the configuration sets a lock file other than that of the package. */
  readonly hasLockfilePath: boolean;
}

/**
 * Variable that makes cargo put a local registry in front of another one, as `URL=FOLDER`. It comes from cargo's own
 * tests. `cargo package` does the same internally for packages that depend on each other, but offers no setting.
 */
const OVERLAY_VARIABLE = '__CARGO_TEST_DEPENDENCY_CONFUSION_VULNERABILITY_DO_NOT_USE_THIS';
/** The first release of cargo that has it. */
const OVERLAY_SINCE = '1.83';

/** Returns true if this release of cargo can build packages whose dependencies are only in a local registry. */
export function supportsOverlay(release: string): boolean {
  return comparePartialVersions(parsePartialVersion(release), parsePartialVersion(OVERLAY_SINCE)) >= 0;
}

/** Returns the variables that make cargo treat the packages of a local registry as published; none for null. */
export function overlayVariables(overlay: RegistryOverlay | null): Readonly<Record<string, string>> {
  if (overlay === null) return {};
  const { registry, folder } = overlay;
  return { [OVERLAY_VARIABLE]: `${formatUnpinnedUrl(registry, { encoded: true })}=${folder}` };
}

/**
 * Returns the text of an archived manifest with registry names, by index URL, instead of URLs, for messages. With
 * `isBelowWorkspace`, the package becomes a workspace: cargo ignores manifests in parent folders only for a workspace.
 */
export function manifestToBuild(
  text: string,
  registryNames: ReadonlyMap<string, string>,
  { isBelowWorkspace }: { readonly isBelowWorkspace: boolean },
): string {
  // `prepareManifest` has written each registry as this line.
  const withNames = text.replaceAll(/^registry-index = "(.*)"$/gm, (line, url: string) => {
    const name = registryNames.get(url);
    return name === undefined ? line : `registry = ${JSON.stringify(name)}`;
  });
  return isBelowWorkspace ? `${withNames}\n[workspace]\n` : withNames;
}

/** Returns the arguments of the cargo that downloads the dependencies of a build. */
export function fetchArguments(build: CargoBuild): readonly string[] {
  const { folder, flags, isOffline } = build;
  return [
    'fetch',
    `--manifest-path=${joinPath(folder, 'Cargo.toml')}`,
    ...(flags.targets ?? []).map((target) => `--target=${target}`),
    ...(isOffline ? ['--offline'] : []),
    ...verbosityFlags(flags),
    ...flags.globalFlags,
    ...ownLockfile(build),
  ];
}

/** Returns the arguments of the cargo that builds, with the development profile. */
export function buildArguments(build: CargoBuild): readonly string[] {
  const { folder, requested, buildFolder, flags, isOffline } = build;
  const { targets, jobs, keepGoing, globalFlags } = flags;
  const features = requested.features.map(formatFeatureValue);
  return [
    'build',
    `--manifest-path=${joinPath(folder, 'Cargo.toml')}`,
    `--target-dir=${buildFolder}`,
    ...(features.length === 0 ? [] : [`--features=${features.join(',')}`]),
    ...(requested.all ? ['--all-features'] : []),
    ...(requested.default ? [] : ['--no-default-features']),
    ...(targets ?? []).map((target) => `--target=${target}`),
    ...(jobs === null ? [] : [`--jobs=${jobs}`]),
    ...(keepGoing ? ['--keep-going'] : []),
    ...(isOffline ? ['--offline'] : []),
    ...verbosityFlags(flags),
    ...globalFlags,
    // A configured build directory could differ for each package.
    `--config=build.build-dir=${JSON.stringify(buildFolder)}`,
    ...ownLockfile(build),
  ];
}

/** Returns the flag for the package's own lock file. A configured one belongs to the workspace and must not change. */
function ownLockfile({ folder, hasLockfilePath }: CargoBuild): readonly string[] {
  const path = joinPath(folder, 'Cargo.lock');
  return hasLockfilePath ? [`--config=resolver.lockfile-path=${JSON.stringify(path)}`] : [];
}

function verbosityFlags({ verbosity }: BuildFlags): readonly string[] {
  return verbosity === 'normal' ? [] : [`--${verbosity}`];
}
