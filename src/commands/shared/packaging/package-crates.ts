/**
 * Makes the archives of packages in one workspace, dependencies first. A dependency counts as published for its
 * dependents. Cargo Book: cargo package.
 */
import { join } from 'node:path';
import { PackageRepositories } from '../../../io/archive/package-repository.ts';
import type { Config } from '../../../io/config/config.ts';
import { buildDirectory } from '../../../io/config/target-directory.ts';
import { acquireFileLock, type LockContext, NO_LOCKING } from '../../../io/disk/file-lock.ts';
import type { Files } from '../../../core/files/files.ts';
import { parentFolder } from '../../../core/files/path.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { type LocalRegistryWriter, openLocalRegistry } from '../../../io/sources/write-local-registry.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import type { BuildFlags } from './cargo-build.ts';
import { lockFilePath } from '../lock/lock-file.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import {
  packCrate,
  type PackCrateOptions,
  type PackedArchive,
  type PackagePlan,
  planPackage,
  type PlanPackageOptions,
  SCRATCH_SPACE,
} from './pack-crate.ts';
import { needEachOther, orderPackages, type PackageOrder } from './package-order.ts';
import { lockWorkspace } from '../lock/resolve-workspace.ts';
import {
  checkAllowedRegistry,
  inferRegistry,
  type RegistryChoice,
  registrySource,
} from '../registry/select-registry.ts';
import { verifyPackages } from './verify-package.ts';

/** A workspace member and the features to build it with. */
export interface SelectedPackage {
  readonly manifest: PackageManifest;
  readonly requested: RequestedFeatures;
}

/** Options for making archives. */
export interface PackagingOptions extends CommonPackagingOptions {
  readonly checksMetadata: boolean;
  readonly includesLockfile: boolean;
  /** True if the archives will not be published. */
  readonly isDryRun: boolean;
  /** Variables with a token that downloads need but no configuration contains; null for none. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
}

/** The options that follow from the workspace and the flags of every command that makes archives. */
export interface CommonPackagingOptions {
  readonly workspace: Workspace;
  readonly config: Config;
  readonly files: Files;
  /** The registry that flags or `registry.default` choose; null if none. */
  readonly registry: RegistryChoice | null;
  /** Opens the package sources on the first call, which a resolution makes. Returns always the same object. */
  readonly openSources: () => LockPassOptions;
  readonly allowsDirty: boolean;
  readonly verifies: boolean;
  /** Options for the verification builds. */
  readonly build: BuildFlags;
  readonly isVerbose: boolean;
  /** `--locked` or `--frozen` as given; null if the workspace's lock file may change. */
  readonly lockedFlag: string | null;
  /** Absolute path of a lock file to use instead of the workspace's; null for none. */
  readonly lockfilePath: string | null;
}

/** A package whose archive is in the scratch folder. */
export interface PackedCrate extends SelectedPackage, PackedArchive {
  /** True if cargo has built the archive. */
  readonly isVerified: boolean;
}

/** A package whose archive may still be verified. */
type UnverifiedCrate = Omit<PackedCrate, 'isVerified'>;

/** Returns the planned contents of each archive, in packaging order. Writes only the workspace's lock file. */
export async function* listArchives(
  selected: readonly SelectedPackage[],
  options: PackagingOptions,
  context: LockContext,
): AsyncGenerator<PackagePlan> {
  await updateLockfile(options, context);
  const planning = planningOptions(selected, options, context);
  for (const { manifest } of orderPackages(selected).packages) {
    yield await planPackage(manifest, planning, context);
  }
}

/**
 * Makes the archives of the packages and verifies them if requested. The archives are in the scratch folder. They stay
 * there after a failure.
 */
export async function packCrates(
  selected: readonly SelectedPackage[],
  options: PackagingOptions,
  context: LockContext,
): Promise<readonly PackedCrate[]> {
  // The order of these steps is that of cargo's warnings and errors.
  await updateLockfile(options, context);
  const order = orderPackages(selected);
  const planning = planningOptions(selected, options, context);
  const registry = targetRegistry(selected, order, options);
  const localRegistry = registry === null ? null : await openPackedRegistry(registry, options, context);
  try {
    const folders = { buildFolder: buildFolder(options), scratchFolder: scratchFolder(options) };
    const packing = { ...planning, ...folders, localRegistry };
    const packed = await packInOrder(order.packages, packing, context);
    const isVerified =
      options.verifies && packed.length > 0 && (await verify(packed, { ...options, localRegistry }, context));
    return packed.map((crate) => ({ ...crate, isVerified }));
  } finally {
    localRegistry?.close();
  }
}

/** Calls `verifyPackages` under a lock, because concurrent runs unpack to the same folder. */
async function verify(
  packed: readonly UnverifiedCrate[],
  options: PackagingOptions & { readonly localRegistry: LocalRegistryWriter | null },
  context: LockContext,
): Promise<boolean> {
  const { config, workspace, lockfilePath, build, downloadVariables, localRegistry } = options;
  const request = { mode: 'exclusive', isFolder: true, description: SCRATCH_SPACE } as const;
  const lock = await acquireFileLock(scratchFolder(options), request, context);
  try {
    const verifying = { config, workspace, lockfilePath, build, downloadVariables, localRegistry };
    return await verifyPackages(packed, { ...options.openSources(), ...verifying }, context);
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}

/** Adds the repositories of the packages and the path of the lock file. */
function planningOptions(
  selected: readonly SelectedPackage[],
  options: PackagingOptions,
  { signal, env }: LockContext,
): PackagingOptions & PlanPackageOptions {
  const { config, workspace } = options;
  const repositories = new PackageRepositories({
    packageRoots: selected.map(({ manifest }) => parentFolder(manifest.path)),
    outsideFiles: [workspace.rootManifest.path],
    cwd: config.cwd,
    env,
    signal,
  });
  return { ...options, repositories, lockPath: lockFilePath(options) };
}

/** Updates an outdated lock file; does not create a missing one. */
async function updateLockfile(options: PackagingOptions, context: LockContext): Promise<void> {
  const { workspace, lockfilePath, lockedFlag, config } = options;
  if (options.includesLockfile && options.files.exists(lockFilePath(options))) {
    await lockWorkspace({ ...options.openSources(), workspace, lockfilePath, lockedFlag }, context);
    // cargo reads the download settings as soon as the lock file is final.
    config.http();
  }
}

/**
 * Returns the registry in which the packages count as published for each other; null if none is needed. It is only
 * needed if one was requested, or if some packages depend on others.
 */
function targetRegistry(
  selected: readonly SelectedPackage[],
  order: PackageOrder<SelectedPackage>,
  options: PackagingOptions,
): SourceId | null {
  const { config, workspace, registry: requested, includesLockfile, verifies } = options;
  if (requested === null && !(needEachOther(order) && (includesLockfile || verifies))) return null;
  const manifests = selected.map(({ manifest }) => manifest);
  const choice = requested ?? inferRegistry(manifests);
  checkAllowedRegistry(manifests, choice, 'packaged');
  return registrySource(choice, config, workspace.manifests.sources).actual;
}

/** Opens the empty local registry that packed packages are added to. The caller must close it. */
function openPackedRegistry(
  registry: SourceId,
  options: PackagingOptions,
  context: LockContext,
): Promise<LocalRegistryWriter> {
  const folder = join(buildFolder(options), 'package', 'tmp-registry');
  const cratesIo = options.workspace.manifests.sources.cratesIo();
  return openLocalRegistry({ folder, registry, cratesIo }, context);
}

/** Packs the packages in order. Reads the files of the next package while the end of an archive is compressed. */
async function packInOrder(
  packages: readonly SelectedPackage[],
  options: Omit<PackCrateOptions, 'turn'>,
  context: LockContext,
): Promise<readonly UnverifiedCrate[]> {
  const crates: UnverifiedCrate[] = [];
  let previous: Promise<UnverifiedCrate> | null = null;
  for (const { manifest, requested } of packages) {
    const { packed, read } = packCrate(
      manifest,
      { ...options, turn: previous ?? Promise.resolve() },
      context,
    );
    try {
      if (previous !== null) crates.push(await previous);
    } finally {
      await read;
    }
    previous = packed.then((archive) => ({ ...archive, manifest, requested }));
  }
  if (previous !== null) crates.push(await previous);
  return crates;
}

function scratchFolder(options: PackagingOptions): string {
  return join(buildFolder(options), 'package', 'tmp-crate');
}

function buildFolder({ config, workspace }: PackagingOptions): string {
  return buildDirectory(config, workspace.root);
}
