/** Verifies that a `.crate` works without its workspace. Cargo Book: cargo package. */
import { join } from 'node:path';
import { unpackCrate } from '../../../io/archive/unpack-crate.ts';
import { compilerSettings } from '../../../io/config/compiler-settings.ts';
import type { Config } from '../../../io/config/config.ts';
import { registryIndex, registryIndexUrl } from '../../../io/config/registry-index.ts';
import { buildDirectory } from '../../../io/config/target-directory.ts';
import { errnoOf, osError } from '../../../io/disk/errno.ts';
import { compareFolders, type FolderState, hashFolder } from '../../../io/disk/hash-folder.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { saveFile } from '../../../io/disk/saved-file.ts';
import { TsregError, withContext, withContextAsync } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import { configuredName, isCratesIo } from '../../../core/package-id/source-id.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { packageDirName } from '../../../io/sources/crate-file.ts';
import { type CargoProgram, findCargo } from '../../../io/toolchain/find-cargo.ts';
import { runCargo } from '../../../io/toolchain/run-cargo.ts';
import { askRustcVersion } from '../../../io/toolchain/rustc.ts';
import { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import {
  buildArguments,
  type BuildFlags,
  fetchArguments,
  manifestToBuild,
  overlayVariables,
  supportsOverlay,
} from './cargo-build.ts';
import { needEachOther, orderPackages } from './package-order.ts';
import {
  checkUnpacked,
  lockUnpacked,
  type LockUnpackedOptions,
  type UnpackedPackage,
} from './unpacked-package.ts';

/** An archive to verify. */
export interface CrateToVerify {
  /** The manifest that the archive was made from. */
  readonly manifest: PackageManifest;
  /** The features to build it with. */
  readonly requested: RequestedFeatures;
  /** Absolute path of the `.crate`. */
  readonly path: string;
}

/** Options for verifying archives. */
export interface VerifyOptions extends LockUnpackedOptions {
  readonly build: BuildFlags;
  /** Variables with a token that downloads need but no configuration contains; null for none. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
}

/**
 * Unpacks each archive into `package` in the build directory, loads it as its own workspace, and builds it with cargo.
 * If cargo cannot build it, checks instead that every target file exists and that dependencies resolve to the archived
 * lock file, and warns once that nothing was built. Throws `toolchain` if the user requested a toolchain that cannot
 * build. Returns true if the archives were built. The unpacked files stay.
 */
export async function verifyPackages(
  crates: readonly CrateToVerify[],
  options: VerifyOptions,
  context: OperationContext,
): Promise<boolean> {
  const toolchain = requestedToolchain(options);
  const tool = await findBuildTool(options, { crates, signal: context.signal });
  if (tool.cargo === null && toolchain !== null) {
    throw new TsregError(`cannot build the packages with the toolchain \`${toolchain}\`, ${tool.reason}`, {
      code: 'toolchain',
      hint: 'choose another toolchain, or pass `--no-verify` to skip the build',
    });
  }
  let isWarned = false;
  for (const crate of crates) {
    context.report.status('Verifying', describePackage(crate.manifest.summary.id));
    const isBuilt = await withContextAsync(FAILURE, async () => {
      const unpacked = await unpack(crate, options, context.signal);
      if (tool.cargo !== null) {
        return await build(unpacked, { ...options, cargo: tool.cargo, crate }, context);
      }
      await checkUnpacked(unpacked, options, context);
      if (!isWarned) context.report.warning(`the packages were not built, ${tool.reason}`);
      isWarned = true;
      return true;
    });
    // The compiler and cargo have reported why.
    if (!isBuilt) throw new TsregError(FAILURE, { code: 'toolchain' });
  }
  return tool.cargo !== null;
}

const FAILURE = 'failed to verify package tarball';

/** The cargo to build with; null, with the reason for a message, if nothing can be built. */
type BuildTool = { readonly cargo: CargoProgram } | { readonly cargo: null; readonly reason: string };

/** Returns the toolchain in `+toolchain`, else in the variable of rustup; null if neither names one. */
function requestedToolchain({ config, build: { toolchain } }: VerifyOptions): string | null {
  const name = toolchain ?? config.env['RUSTUP_TOOLCHAIN'] ?? '';
  return name === '' ? null : name;
}

/** Finds a cargo whose compiler responds, and that can build packages that need each other if there may be some. */
async function findBuildTool(
  options: VerifyOptions,
  { crates, signal }: { readonly crates: readonly CrateToVerify[]; readonly signal: AbortSignal },
): Promise<BuildTool> {
  const {
    config,
    build: { toolchain },
  } = options;
  const { rustc, wrapper } = compilerSettings(config);
  const { cwd, env, home } = config;
  const cargo = await findCargo({ env, cwd, cargoHome: home, rustc, toolchain }, signal);
  if (cargo === null) {
    const isRequested = requestedToolchain(options) !== null;
    return {
      cargo,
      reason: isRequested ? 'since no cargo runs with it' : 'since no Rust toolchain was found',
    };
  }
  const version = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  if (version === null) return { cargo: null, reason: 'since the Rust compiler does not respond' };
  if (!needEachOther(orderPackages(crates)) || supportsOverlay(cargo.release)) return { cargo };
  return {
    cargo: null,
    reason: `since cargo ${cargo.release} cannot build packages that need each other before they are published`,
  };
}

/** Unpacks an archive into `package` of the build directory, and loads it as a workspace with a single member. */
async function unpack(
  { manifest: { summary }, path }: CrateToVerify,
  { config, workspace }: VerifyOptions,
  signal: AbortSignal,
): Promise<UnpackedPackage> {
  const { sources } = workspace.manifests;
  const parent = join(buildDirectory(config, workspace.root), 'package');
  const root = await unpackCrate(path, { parent, topFolder: packageDirName(summary.id), signal });
  const manifests = new ManifestLoader({
    files: new NodeFiles(),
    sources,
    cargoHome: config.home,
    registry: (name) => registryIndex(config, name, sources),
  });
  const manifest = manifests.loadPackage(joinPath(root, 'Cargo.toml'));
  const workspaceOfOne: Workspace = {
    root,
    rootManifest: manifest,
    currentManifest: manifest,
    members: [manifest],
    defaultMembers: [manifest],
    isImplicit: true,
    resolver: manifest.resolver ?? '1',
    warnings: [],
    manifests,
  };
  return { manifest, workspace: workspaceOfOne };
}

/** How to build one of the archives. */
interface BuildOptions extends VerifyOptions {
  readonly cargo: CargoProgram;
  readonly crate: CrateToVerify;
}

/** Builds a package. Returns false if the build failed. Throws `toolchain` if the build changed files of the package. */
async function build(
  unpacked: UnpackedPackage,
  options: BuildOptions,
  context: OperationContext,
): Promise<boolean> {
  const { root: folder } = unpacked.workspace;
  const hasLockfile = readLockFile(joinPath(folder, 'Cargo.lock')) !== null;
  const missingLockfile = hasLockfile ? null : await lockUnpacked(unpacked, options, context);
  const before = folderState(folder);
  const isBuilt = await runBuild(unpacked, { ...options, missingLockfile }, context.signal);
  if (!isBuilt) return false;
  const changes = compareFolders(before, folderState(folder));
  if (changes === null) return true;
  const lists = [
    ['Changed', changes.changed],
    ['Added', changes.added],
    ['Removed', changes.removed],
  ] as const;
  const lines = lists.flatMap(([word, paths]) =>
    paths.length === 0 ? [] : [`${word}: ${paths.join('\n\t')}`],
  );
  throw new TsregError(
    'Source directory was modified by build.rs during cargo publish. ' +
      `Build scripts should not modify anything outside of OUT_DIR.\n${lines.join('\n')}\n\n` +
      'To proceed despite this, pass the `--no-verify` flag.',
    { code: 'toolchain' },
  );
}

/**
 * Runs cargo on a package and passes its output through. Returns false if cargo failed, and has reported why. Restores
 * the lock file, and the manifest unless the build changed it. If downloads need a token, downloads first: a build runs
 * third-party programs, which must not see the token.
 */
async function runBuild(
  unpacked: UnpackedPackage,
  { cargo, crate, missingLockfile, ...options }: BuildOptions & { readonly missingLockfile: string | null },
  signal: AbortSignal,
): Promise<boolean> {
  const { config, workspace, localRegistry, downloadVariables } = options;
  const { root: folder } = unpacked.workspace;
  const cargoBuild = {
    folder,
    requested: crate.requested,
    buildFolder: buildDirectory(config, workspace.root),
    flags: options.build,
    isOffline: options.offlineFlag !== null,
    hasLockfilePath: options.lockfilePath !== null,
  };
  const isInWorkspace = isBelowWorkspace(unpacked);
  const names = registryNames(crate.manifest, config);
  const manifest = saveFile(joinPath(folder, 'Cargo.toml'));
  const lockfile = saveFile(joinPath(folder, 'Cargo.lock'));
  manifest.edit(manifestToBuild(manifest.text, names, { isBelowWorkspace: isInWorkspace }));
  if (missingLockfile !== null) lockfile.edit(missingLockfile);
  const variables = overlayVariables(localRegistry?.overlay ?? null);
  const run = { cwd: config.cwd, variables, signal };
  try {
    if (downloadVariables !== null) {
      const fetching = { ...run, variables: { ...variables, ...downloadVariables } };
      if ((await runCargo(cargo, fetchArguments(cargoBuild), fetching)) !== 0) return false;
    }
    return (await runCargo(cargo, buildArguments(cargoBuild), run)) === 0;
  } finally {
    // Changes by the build must stay visible.
    if (manifest.isAsEdited()) manifest.restore();
    lockfile.restore();
  }
}

/** Returns registry names by index URL, from the original manifest: an archived one has only URLs. */
function registryNames({ summary }: PackageManifest, config: Config): ReadonlyMap<string, string> {
  const names = summary.dependencies.flatMap(({ registry }) => {
    const name = registry === null || isCratesIo(registry) ? null : configuredName(registry);
    return name === null ? [] : [[registryIndexUrl(config, name), name] as const];
  });
  return new Map(names);
}

/** Returns the content of a folder, to find files that a build changes. Leaves out `target`, where cargo writes. */
function folderState(folder: string): FolderState {
  return withContext(`failed to verify output at ${JSON.stringify(folder)}`, () => {
    try {
      return hashFolder(folder, 'target');
    } catch (error) {
      throw errnoOf(error) === null ? error : osError(error);
    }
  });
}

/** Returns true if the package is below another workspace, or below an unreadable manifest. */
function isBelowWorkspace({ manifest, workspace }: UnpackedPackage): boolean {
  try {
    return workspace.manifests.findRoot(manifest.path) !== null;
  } catch {
    return true;
  }
}
