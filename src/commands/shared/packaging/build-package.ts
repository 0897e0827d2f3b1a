/** Builds one package in a folder with cargo. Cargo Book: cargo package. */
import { compilerSettings } from '../../../io/config/compiler-settings.ts';
import type { Config } from '../../../io/config/config.ts';
import { saveFile } from '../../../io/disk/saved-file.ts';
import { joinPath } from '../../../core/files/path.ts';
import { formatUnpinnedUrl } from '../../../core/package-id/source-url.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { RegistryOverlay } from '../../../io/sources/overlay-source.ts';
import { formatFeatureValue } from '../../../core/summary/feature-value.ts';
import { type CargoProgram, findCargo } from '../../../io/toolchain/find-cargo.ts';
import { runCargo } from '../../../io/toolchain/run-cargo.ts';
import { askRustcVersion } from '../../../io/toolchain/rustc.ts';
import { comparePartialVersions, parsePartialVersion } from '../../../core/version/partial-version.ts';

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

/** A package to build. */
export interface PackageToBuild {
  /** Absolute folder of the package. */
  readonly folder: string;
  /** True if a manifest in a parent folder would treat the package as a workspace member. */
  readonly isBelowWorkspace: boolean;
  /** Names of the dependencies' registries, by index URL as written in the manifest. */
  readonly registryNames: ReadonlyMap<string, string>;
  /** Text of the lock file to build with if the package has none; null if it has one. */
  readonly missingLockfile: string | null;
  readonly requested: RequestedFeatures;
}

/** How a build gets the dependencies of the package. */
export interface BuildDownloads {
  readonly isOffline: boolean;
  /** Packages to treat as published; null for none. */
  readonly overlay: RegistryOverlay | null;
  /** Variables with a token that downloads need but no configuration contains; null for none. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
}

/** How to build a package. */
export interface BuildOptions extends BuildDownloads {
  /** Absolute folder for the build output. */
  readonly buildFolder: string;
  /** True if the configuration sets a lock file other than that of the package. */
  readonly hasLockfilePath: boolean;
  readonly flags: BuildFlags;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/**
 * Variable that makes cargo put a local registry in front of another one, as `URL=FOLDER`. It comes from cargo's own
 * tests. `cargo package` does the same internally for packages that depend on each other, but offers no setting.
 */
const OVERLAY_VARIABLE = '__CARGO_TEST_DEPENDENCY_CONFUSION_VULNERABILITY_DO_NOT_USE_THIS';
/** The first release of cargo that has it. */
const OVERLAY_SINCE = '1.83';

/** The cargo to build with; null, with the reason for a message, if nothing can be built. */
export type BuildTool = { readonly cargo: CargoProgram } | { readonly cargo: null; readonly reason: string };

/** Finds a cargo whose compiler responds. With `needsOverlay`, it must support packages that need each other. */
export async function findBuildTool(
  config: Config,
  { toolchain, needsOverlay }: { readonly toolchain: string | null; readonly needsOverlay: boolean },
  signal: AbortSignal,
): Promise<BuildTool> {
  const { rustc, wrapper } = compilerSettings(config);
  const { cwd, env, home } = config;
  const cargo = await findCargo({ env, cwd, cargoHome: home, rustc, toolchain }, signal);
  if (cargo === null) return noBuildTool('since no Rust toolchain was found');
  const version = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  if (version === null) return noBuildTool('since the Rust compiler does not respond');
  if (needsOverlay && !canOverlay(cargo)) {
    return noBuildTool(
      `since cargo ${cargo.release} cannot build packages that need each other before they are published`,
    );
  }
  return { cargo };
}

function noBuildTool(reason: string): BuildTool {
  return { cargo: null, reason };
}

/** Returns true if `cargo` can build packages whose dependencies are only in a local registry. */
function canOverlay(cargo: CargoProgram): boolean {
  const release = parsePartialVersion(cargo.release);
  return comparePartialVersions(release, parsePartialVersion(OVERLAY_SINCE)) >= 0;
}

/**
 * Builds the package with the development profile and passes cargo's output through. Returns false if cargo failed;
 * cargo has then reported why. Restores the lock file, and the manifest unless the build changed it. If downloads need
 * a token, downloads first: a build runs third-party programs, which must not see the token.
 */
export async function buildPackage(
  cargo: CargoProgram,
  target: PackageToBuild,
  options: BuildOptions,
): Promise<boolean> {
  const { folder, missingLockfile } = target;
  const { overlay, downloadVariables, cwd, signal } = options;
  const manifest = saveFile(joinPath(folder, 'Cargo.toml'));
  const lockfile = saveFile(joinPath(folder, 'Cargo.lock'));
  manifest.edit(manifestToBuild(manifest.text, target));
  if (missingLockfile !== null) lockfile.edit(missingLockfile);
  const variables = overlay === null ? {} : { [OVERLAY_VARIABLE]: overlayValue(overlay) };
  try {
    if (downloadVariables !== null) {
      const run = { cwd, variables: { ...variables, ...downloadVariables }, signal };
      if ((await runCargo(cargo, fetchArguments(target, options), run)) !== 0) return false;
    }
    return (await runCargo(cargo, buildArguments(target, options), { cwd, variables, signal })) === 0;
  } finally {
    // Changes by the build must stay visible.
    if (manifest.isAsEdited()) manifest.restore();
    lockfile.restore();
  }
}

/** Returns the archive's manifest with registry names instead of URLs for messages, adapted to its folder. */
function manifestToBuild(text: string, { isBelowWorkspace, registryNames }: PackageToBuild): string {
  // `prepareManifest` has written each registry as this line.
  const withNames = text.replaceAll(/^registry-index = "(.*)"$/gm, (line, url: string) => {
    const name = registryNames.get(url);
    return name === undefined ? line : `registry = ${JSON.stringify(name)}`;
  });
  // Manifests in parent folders ignore a package only if it is itself a workspace.
  return isBelowWorkspace ? `${withNames}\n[workspace]\n` : withNames;
}

function fetchArguments({ folder }: PackageToBuild, options: BuildOptions): string[] {
  const { flags, isOffline } = options;
  const { targets, globalFlags } = flags;
  return [
    'fetch',
    `--manifest-path=${joinPath(folder, 'Cargo.toml')}`,
    ...(targets ?? []).map((target) => `--target=${target}`),
    ...(isOffline ? ['--offline'] : []),
    ...verbosityFlags(flags),
    ...globalFlags,
    ...ownLockfile(folder, options),
  ];
}

/** Returns the flag for the package's own lock file. A configured one belongs to the workspace and must not change. */
function ownLockfile(folder: string, { hasLockfilePath }: BuildOptions): readonly string[] {
  const path = joinPath(folder, 'Cargo.lock');
  return hasLockfilePath ? [`--config=resolver.lockfile-path=${JSON.stringify(path)}`] : [];
}

function verbosityFlags({ verbosity }: BuildFlags): readonly string[] {
  return verbosity === 'normal' ? [] : [`--${verbosity}`];
}

function buildArguments({ folder, requested }: PackageToBuild, options: BuildOptions): string[] {
  const { buildFolder, flags, isOffline } = options;
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
    ...ownLockfile(folder, options),
  ];
}

function overlayValue({ registry, folder }: RegistryOverlay): string {
  return `${formatUnpinnedUrl(registry, { encoded: true })}=${folder}`;
}
