/** Verifies that a `.crate` works without its workspace. Cargo Book: cargo package. */
import { join } from 'node:path';
import { unpackCrate } from '../../../io/archive/unpack-crate.ts';
import type { Config } from '../../../io/config/config.ts';
import { registryIndex, registryIndexUrl } from '../../../io/config/registry-index.ts';
import { buildDirectory } from '../../../io/config/target-directory.ts';
import { errnoOf, osError } from '../../../io/disk/errno.ts';
import { compareFolders, type FolderState, hashFolder } from '../../../io/disk/hash-folder.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { TsregError, withContext, withContextAsync } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import { haveSameLines } from '../../../core/lockfile/compare-lockfiles.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import { configuredName, isCratesIo } from '../../../core/package-id/source-id.ts';
import { type OperationContext, reportTo } from '../../../core/report/report.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { packageDirName } from '../../../io/sources/unpack-package.ts';
import type { CargoProgram } from '../../../io/toolchain/find-cargo.ts';
import { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';
import { reportManifests } from '../../../io/workspace/report-manifests.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { type BuildFlags, buildPackage, findBuildTool } from './build-package.ts';
import { lockPackage, type LockPackageOptions } from './lock-package.ts';

/** An archive to verify. */
export interface CrateToVerify {
  /** The manifest that the archive was made from. */
  readonly manifest: PackageManifest;
  /** The features to build it with. */
  readonly requested: RequestedFeatures;
  /** Absolute path of the `.crate`. */
  readonly path: string;
}

/** Options for verifying archives. `localRegistry` contains the packages that may depend on each other. */
export interface VerifyOptions extends Omit<LockPackageOptions, 'isDryRun' | 'isVerbose'> {
  readonly build: BuildFlags;
  /** Same as in `BuildOptions`. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
}

/** A package that was unpacked from its archive: its manifest, and the workspace of which it is the only member. */
interface UnpackedPackage {
  readonly manifest: PackageManifest;
  readonly workspace: Workspace;
}

/**
 * Unpacks each archive into `package` in the build directory, loads it as its own workspace, and builds it with cargo.
 * If cargo cannot build it, checks instead that every target file exists and that dependencies resolve to the archived
 * lock file, and warns once that nothing was built. The unpacked files stay.
 */
export async function verifyPackages(
  crates: readonly CrateToVerify[],
  options: VerifyOptions,
  context: OperationContext,
): Promise<void> {
  if (crates.length === 0) return;
  const { config, localRegistry } = options;
  const { toolchain } = options.build;
  const needsOverlay = localRegistry !== null;
  const tool = await findBuildTool(config, { toolchain, needsOverlay }, context.signal);
  let isWarned = false;
  for (const crate of crates) {
    context.report.status('Verifying', describePackage(crate.manifest.summary.id));
    const isBuilt = await withContextAsync(FAILURE, async () => {
      const unpacked = await unpack(crate, options, context.signal);
      if (tool.cargo !== null) {
        return await build(unpacked, { ...options, cargo: tool.cargo, crate }, context);
      }
      await checkAlone(unpacked, options, context);
      if (!isWarned) context.report.warning(`the packages were not built, ${tool.reason}`);
      isWarned = true;
      return true;
    });
    // The compiler and cargo have reported why.
    if (!isBuilt) throw new TsregError(FAILURE, { code: 'toolchain' });
  }
}

const FAILURE = 'failed to verify package tarball';

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

/** Builds a package. Returns false if the build failed. Throws `toolchain` if the build changed files of the package. */
async function build(
  unpacked: UnpackedPackage,
  options: VerifyOptions & { readonly cargo: CargoProgram; readonly crate: CrateToVerify },
  context: OperationContext,
): Promise<boolean> {
  const { cargo, crate, config, localRegistry, offlineFlag } = options;
  const { root: folder } = unpacked.workspace;
  const missingLockfile = await lockWhereMissing(unpacked, options, context);
  const before = folderState(folder);
  const target = {
    folder,
    isBelowWorkspace: isBelowWorkspace(unpacked),
    registryNames: registryNames(crate.manifest, config),
    missingLockfile,
    requested: crate.requested,
  };
  const isBuilt = await buildPackage(cargo, target, {
    buildFolder: buildDirectory(config, options.workspace.root),
    flags: options.build,
    isOffline: offlineFlag !== null,
    overlay: localRegistry?.overlay ?? null,
    hasLockfilePath: options.lockfilePath !== null,
    downloadVariables: options.downloadVariables,
    cwd: config.cwd,
    signal: context.signal,
  });
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

/**
 * Returns the lock file for an archive without one; null for others. Otherwise the cargo that builds would report every
 * package in a new lock file, which `cargo package` does not do.
 */
async function lockWhereMissing(
  unpacked: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<string | null> {
  if (readLockFile(joinPath(unpacked.workspace.root, 'Cargo.lock')) !== null) return null;
  // With a local registry, the cargo that builds updates the registry's index, too, and reports it.
  const silent = { ...context, report: reportTo({}) };
  return lockAlone(unpacked, options, options.localRegistry === null ? onlyStatuses(context) : silent);
}

/** Checks what cargo would check before it starts a compiler, and that the files of all targets exist. */
async function checkAlone(
  unpacked: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<void> {
  const { manifest, workspace } = unpacked;
  reportManifests(workspace, context.report);
  for (const { kind, name, srcPath } of manifest.targets) {
    if (workspace.manifests.files.kind(srcPath) === 'file') continue;
    throw new TsregError(`couldn't read \`${srcPath}\` of the ${kind} target \`${name}\``, {
      code: 'manifest',
    });
  }
  const lockfile = await lockAlone(unpacked, { ...options, lockfilePath: null }, onlyStatuses(context));
  const path = joinPath(workspace.root, 'Cargo.lock');
  const archived = readLockFile(path);
  if (archived !== null && !haveSameLines(archived, lockfile)) {
    throw new TsregError(`the lock file of the archive does not match its manifest: \`${path}\``, {
      code: 'lockfile',
    });
  }
}

/** Returns the lock file of a package outside its workspace. */
function lockAlone(
  { manifest, workspace }: UnpackedPackage,
  options: VerifyOptions,
  context: OperationContext,
): Promise<string> {
  return lockPackage(manifest, { ...options, isDryRun: false, isVerbose: false, workspace }, context);
}

/** Forwards only status lines. Problems in packages were already reported during packing. */
function onlyStatuses({ report, signal }: OperationContext): OperationContext {
  return { report: reportTo({ status: (...status) => report.status(...status) }), signal };
}
