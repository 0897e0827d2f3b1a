/**
 * Makes the archives of packages of one workspace: those that others need come first, and count as published for
 * these. Cargo Book: cargo package.
 */
import { join } from 'node:path';
import { PackageRepositories } from '../../archive/package-repository.ts';
import { writeCrate, type WrittenCrate } from '../../archive/write-crate.ts';
import type { Config } from '../../config/config.ts';
import { buildDirectory } from '../../config/target-directory.ts';
import { makeCacheDirectory } from '../../disk/cache-directory-tag.ts';
import { acquireFileLock, type LockContext, NO_LOCKING, waitForFileLock } from '../../disk/file-lock.ts';
import { withContextAsync } from '../../errors/error.ts';
import type { Files } from '../../files/files.ts';
import { parentFolder } from '../../files/path.ts';
import { checkDependencyVersions } from '../../manifest/check-versions.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import { describePackage } from '../../package-id/describe.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { holdReport } from '../../report/held-report.ts';
import { humanBytes } from '../../report/human-bytes.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import { crateFileName } from '../../sources/crate-file.ts';
import { packageDirName } from '../../sources/unpack-package.ts';
import { type LocalRegistryWriter, openLocalRegistry } from '../../sources/write-local-registry.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { BuildFlags } from './build-package.ts';
import { fillArchive } from './fill-archive.ts';
import { lockFilePath } from '../lock/lock-file.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import { orderPackages, type PackageOrder } from './package-order.ts';
import { type PackagePlan, planPackage, type PlanPackageOptions } from './plan-package.ts';
import { readReadme } from '../publish/read-readme.ts';
import { lockWorkspace } from '../lock/resolve-workspace.ts';
import {
  checkAllowedRegistry,
  inferRegistry,
  type RegistryChoice,
  registrySource,
} from '../registry/select-registry.ts';
import { verifyPackages } from './verify-package.ts';

const SCRATCH_SPACE = 'package scratch space';

/** A member of the workspace, and the features that it is built with. */
export interface SelectedPackage {
  readonly manifest: PackageManifest;
  readonly requested: RequestedFeatures;
}

/** What archives are made with. */
export interface PackagingOptions {
  readonly workspace: Workspace;
  readonly config: Config;
  readonly files: Files;
  /** How dependencies are resolved. Asked only where that is done, and always the same. */
  readonly resolving: () => LockPassOptions;
  /** What flags or `registry.default` choose; null if nothing does. */
  readonly registry: RegistryChoice | null;
  readonly checksMetadata: boolean;
  readonly allowsDirty: boolean;
  readonly includesLockfile: boolean;
  readonly verifies: boolean;
  /** How archives are built to verify them, and with which toolchain; null for the one in use. */
  readonly build: BuildFlags;
  readonly toolchain: string | null;
  /** Variables with a token that downloads need and that is configured nowhere; null for none. */
  readonly downloadVariables: Readonly<Record<string, string>> | null;
  readonly isVerbose: boolean;
  /** `--locked` or `--frozen` as it was passed; null if the workspace's lock file may change. */
  readonly lockedFlag: string | null;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** True if the archives are not meant to be published in the end. */
  readonly isDryRun: boolean;
}

/** A package whose archive lies in the scratch folder. */
export interface PackedCrate extends WrittenCrate {
  readonly manifest: PackageManifest;
  readonly requested: RequestedFeatures;
  /** Absolute path of the archive. */
  readonly path: string;
  /** The manifest that is in the archive, and its text. */
  readonly prepared: PackageManifest;
  readonly manifestText: string;
}

/** Says of each package, in the order in which they would be packaged, what its archive will hold. Writes nothing but the workspace's lock file. */
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
 * Makes the archives of the packages and, if asked, checks what is in them. Until then they lie in the scratch folder
 * alone; after a failure what was made stays there.
 */
export async function packageCrates(
  selected: readonly SelectedPackage[],
  options: PackagingOptions,
  context: LockContext,
): Promise<readonly PackedCrate[]> {
  await updateLockfile(options, context);
  const order = orderPackages(selected);
  const planning = planningOptions(selected, options, context);
  const registry = targetRegistry(selected, order, options);
  const made = registry === null ? null : await openMadePackages(registry, options, context);
  try {
    const packed = await packInOrder(order.packages, { ...options, planning, made }, context);
    if (options.verifies && packed.length > 0) await verify(packed, { ...options, made }, context);
    return packed;
  } finally {
    made?.[Symbol.dispose]();
  }
}

/** Archives are taken apart where another run would do that too, so that one has to wait for the other. */
async function verify(
  packed: readonly PackedCrate[],
  options: PackagingOptions & { readonly made: LocalRegistryWriter | null },
  context: LockContext,
): Promise<void> {
  const { config, workspace, lockfilePath, build, toolchain, downloadVariables, made, resolving } = options;
  const request = { mode: 'exclusive', isFolder: true, description: SCRATCH_SPACE } as const;
  const lock = await acquireFileLock(scratchFolder(options), request, context);
  try {
    const verifying = { config, workspace, lockfilePath, build, toolchain, downloadVariables, made };
    await verifyPackages(packed, { ...resolving(), ...verifying }, context);
  } finally {
    if (lock !== NO_LOCKING) lock.release();
  }
}

function planningOptions(
  selected: readonly SelectedPackage[],
  options: PackagingOptions,
  { signal, env }: LockContext,
): PlanPackageOptions {
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

/** An outdated lock file is brought up to date first; a missing one is not missed. */
async function updateLockfile(options: PackagingOptions, context: LockContext): Promise<void> {
  if (options.includesLockfile && options.files.exists(lockFilePath(options))) {
    await lockWorkspace({ ...options.resolving(), ...options }, context);
    // cargo reads how to download as soon as the lock file is settled.
    options.config.http();
  }
}

/**
 * The registry that the packages are for, and are to be seen in by each other. null where nothing is asked of it: one
 * is only looked for where it was chosen, or where some packages need others.
 */
function targetRegistry(
  selected: readonly SelectedPackage[],
  { needs }: PackageOrder<SelectedPackage>,
  options: PackagingOptions,
): SourceId | null {
  const { config, workspace, registry: chosen, includesLockfile, verifies } = options;
  const isNeeded = Array.from(needs.values()).some((needed) => needed.length > 0);
  if (chosen === null && !(isNeeded && (includesLockfile || verifies))) return null;
  const manifests = selected.map(({ manifest }) => manifest);
  const choice = chosen ?? inferRegistry(manifests);
  checkAllowedRegistry(manifests, choice, 'packaged');
  return registrySource(choice, config, workspace.manifests.sources).actual;
}

function openMadePackages(
  registry: SourceId,
  options: PackagingOptions,
  context: LockContext,
): Promise<LocalRegistryWriter> {
  const folder = join(buildFolder(options), 'package', 'tmp-registry');
  const cratesIo = options.workspace.manifests.sources.cratesIo();
  return openLocalRegistry({ folder, registry, cratesIo }, context);
}

interface PackOptions extends PackagingOptions {
  readonly planning: PlanPackageOptions;
  /** null where no package needs another. */
  readonly made: LocalRegistryWriter | null;
}

/** While the last parts of an archive are compressed, the files of the next one are read. */
async function packInOrder(
  packages: readonly SelectedPackage[],
  options: PackOptions,
  context: LockContext,
): Promise<readonly PackedCrate[]> {
  const packed: PackedCrate[] = [];
  let before: Promise<PackedCrate> | null = null;
  for (const each of packages) {
    const next = beginPacking(each, { ...options, turn: before ?? Promise.resolve() }, context);
    try {
      if (before !== null) packed.push(await before);
    } finally {
      await next.read;
    }
    before = next.packed;
  }
  if (before !== null) packed.push(await before);
  return packed;
}

interface Packing {
  readonly packed: Promise<PackedCrate>;
  /** Resolves when all files have been read, or nothing more will be done. */
  readonly read: Promise<void>;
}

function beginPacking(
  selected: SelectedPackage,
  options: Omit<PackOptions & Turn, 'onRead'>,
  context: LockContext,
): Packing {
  let onRead = (): void => {};
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const packed = packCrate(selected, { ...options, onRead }, context);
  packed.then(onRead, onRead);
  return { packed, read };
}

interface Turn {
  /** The package before it; what fails there fails here, too. */
  readonly turn: Promise<unknown>;
  /** Called when all files have been read. */
  readonly onRead: () => void;
}

/** Writes and says nothing before `turn`. */
async function packCrate(
  { manifest, requested }: SelectedPackage,
  { turn, onRead, ...options }: PackOptions & Turn,
  context: LockContext,
): Promise<PackedCrate> {
  const { signal } = context;
  const { id } = manifest.summary;
  const path = join(scratchFolder(options), crateFileName(id));
  const [planned, report] = [holdReport(context.report), holdReport(context.report)];
  const turned = turn.then(() => planned.release());
  // Whoever awaits it hears of a failure.
  turned.catch(() => {});
  const plan = await inTurn(turned, async () => {
    const plan = await planPackage(manifest, options.planning, { ...context, report: planned });
    checkDependencyVersions(manifest, 'package');
    return plan;
  });
  const opened = turned.then(async () => {
    makeCacheDirectory(buildFolder(options));
    await waitForFileLock(path, SCRATCH_SPACE, context);
    report.release();
  });
  opened.catch(() => {});
  const { written, filled } = await inTurn(opened, () => {
    report.status('Packaging', describePackage(id));
    return withContextAsync('failed to prepare local package for uploading', async () => {
      const filled = fillArchive(plan, { ...options, turn: opened }, { ...context, report });
      const destination = { path, topFolder: packageDirName(id), signal, turn: opened, onRead };
      return { filled, written: await writeCrate(filled.files, destination) };
    });
  });
  const { fileCount, bytes, compressedBytes } = written;
  const sizes = `${humanBytes(bytes)} (${humanBytes(compressedBytes)} compressed)`;
  report.status('Packaged', `${fileCount} files, ${sizes}`);
  if (options.made !== null && manifest.publish?.length !== 0) {
    // Without what is sent beside an archive cargo takes none into the registry either.
    readReadme(manifest, options.files);
    await options.made.add({
      summary: filled.prepared.summary,
      features: filled.features,
      archive: { path, sha256: written.sha256 },
    });
  }
  const { prepared, text: manifestText } = filled;
  return { ...written, manifest, requested, path, prepared, manifestText };
}

/** What `body` fails with comes after what comes before `turn`. */
async function inTurn<T>(turn: Promise<void>, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    await turn;
    throw error;
  }
}

function scratchFolder(options: PackagingOptions): string {
  return join(buildFolder(options), 'package', 'tmp-crate');
}

function buildFolder({ config, workspace }: PackagingOptions): string {
  return buildDirectory(config, workspace.root);
}
