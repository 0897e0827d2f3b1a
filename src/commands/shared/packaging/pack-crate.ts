/** Plans the archive of one package, and makes it in the scratch folder. Cargo Book: cargo package. */
import { join } from 'node:path';
import type { ArchiveFile, ArchivePlan } from '../../../io/archive/archive-plan.ts';
import type { PackageRepositories } from '../../../io/archive/package-repository.ts';
import { planArchive } from '../../../io/archive/plan-archive.ts';
import { selectFiles } from '../../../io/archive/select-files.ts';
import { checkRepository } from '../../../io/archive/vcs-info.ts';
import { type WrittenCrate, writeCrate } from '../../../io/archive/write-crate.ts';
import { registryIndex, registryIndexUrl } from '../../../io/config/registry-index.ts';
import { makeCacheDirectory } from '../../../io/disk/cache-directory-tag.ts';
import { type LockContext, waitForFileLock } from '../../../io/disk/file-lock.ts';
import { present } from '../../../core/errors/assert.ts';
import { withContextAsync } from '../../../core/errors/error.ts';
import type { Files } from '../../../core/files/files.ts';
import { checkDependencyVersions } from '../../../core/manifest/check-versions.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { metadataWarning } from '../../../core/manifest/metadata-warning.ts';
import { prepareManifest } from '../../../core/manifest/prepare-manifest.ts';
import { readPreparedManifest } from '../../../core/manifest/read-prepared-manifest.ts';
import { writtenFeatures } from '../../../core/manifest/written-tables.ts';
import { CRATES_IO_NAME } from '../../../core/package-id/crates-io.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import { bufferReport } from '../../../core/report/buffered-report.ts';
import { humanBytes } from '../../../core/report/human-bytes.ts';
import type { OperationContext, Report } from '../../../core/report/report.ts';
import { crateFileName, packageDirName } from '../../../io/sources/crate-file.ts';
import type { LocalRegistryWriter } from '../../../io/sources/write-local-registry.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { type ArchiveLockOptions, lockPackage } from './lock-package.ts';
import type { LockPassOptions } from '../lock/lock-pass.ts';
import type { RegistryChoice } from '../registry/select-registry.ts';
import { readReadme } from './read-readme.ts';

/** The name of the scratch folder in status lines. */
export const SCRATCH_SPACE = 'package scratch space';

/** Options for choosing the contents of archives. */
export interface PlanPackageOptions {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly repositories: PackageRepositories;
  /** Absolute path of the workspace's lock file. */
  readonly lockPath: string;
  /** The registry that flags or `registry.default` choose; null if none. */
  readonly registry: RegistryChoice | null;
  readonly checksMetadata: boolean;
  readonly allowsDirty: boolean;
  readonly includesLockfile: boolean;
  readonly isVerbose: boolean;
}

/** The planned contents of a package's archive. */
export interface PackagePlan {
  readonly manifest: PackageManifest;
  readonly archive: ArchivePlan;
}

/** Options for making an archive. */
export interface PackCrateOptions extends PlanPackageOptions, ArchiveLockOptions {
  /** Opens the package sources on the first call, which a resolution makes. Returns always the same object. */
  readonly openSources: () => LockPassOptions;
  /** Contains the previous packages, and receives this one; null if no registry is needed. */
  readonly localRegistry: LocalRegistryWriter | null;
  /** Absolute path of the build directory, which is marked as a cache. */
  readonly buildFolder: string;
  /** Absolute path of the folder for the archive. */
  readonly scratchFolder: string;
  /** Resolves when the previous package is complete; its failure also fails this package. */
  readonly turn: Promise<unknown>;
}

/** An archive that is being made. */
export interface Packing {
  readonly packed: Promise<PackedArchive>;
  /** Resolves when all files have been read, or the package has failed. Never rejects. */
  readonly read: Promise<void>;
}

/** An archive in the scratch folder. */
export interface PackedArchive extends WrittenCrate, ArchivedManifest {
  /** Absolute path of the archive. */
  readonly path: string;
}

/** The manifest in an archive, and its text. */
interface ArchivedManifest {
  readonly prepared: PackageManifest;
  readonly manifestText: string;
}

/** Selects the files of a package and checks them. Throws with cargo's messages if they cannot be packaged. */
export async function planPackage(
  manifest: PackageManifest,
  options: PlanPackageOptions,
  { report }: OperationContext,
): Promise<PackagePlan> {
  const { workspace, files, repositories, lockPath, allowsDirty, isVerbose } = options;
  const warning = isForCratesIo(options) && options.checksMetadata ? metadataWarning(manifest) : null;
  if (warning !== null) report.warning(warning);
  const selection = await selectFiles(manifest, { repositories, report });
  const vcsInfo = await checkRepository(selection, {
    repositories,
    workspaceManifest: workspace.rootManifest.path,
    allowDirty: allowsDirty,
    isVerbose,
    report,
  });
  const lockfile = { path: files.exists(lockPath) ? lockPath : null };
  const archive = planArchive(selection, {
    lockfile: options.includesLockfile ? lockfile : null,
    vcsInfo,
    report,
  });
  return { manifest, archive };
}

function isForCratesIo({ registry }: PlanPackageOptions): boolean {
  return registry === null || (registry.kind === 'registry' && registry.name === CRATES_IO_NAME);
}

/** Starts to make the archive of a package. Writes and reports nothing before `turn` resolves. */
export function packCrate(
  manifest: PackageManifest,
  options: PackCrateOptions,
  context: LockContext,
): Packing {
  let onRead = (): void => {};
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const packed = makeArchive(manifest, { ...options, onRead }, context);
  packed.then(onRead, onRead);
  return { packed, read };
}

/**
 * Plans and writes an archive. Both steps buffer their reports, so that this package reports only after the previous
 * ones: `planTurn` resolves once the plan may report, `writeTurn` once this package may write.
 */
async function makeArchive(
  manifest: PackageManifest,
  { turn, onRead, ...options }: PackCrateOptions & { readonly onRead: () => void },
  context: LockContext,
): Promise<PackedArchive> {
  const { signal } = context;
  const { id } = manifest.summary;
  const path = join(options.scratchFolder, crateFileName(id));
  const planReport = bufferReport(context.report);
  const report = bufferReport(context.report);
  const planTurn = turn.then(() => planReport.release());
  // Prevents an unhandled rejection. The code that awaits `planTurn` handles the failure.
  planTurn.catch(() => {});
  const plan = await inTurn(planTurn, async () => {
    const packagePlan = await planPackage(manifest, options, { ...context, report: planReport });
    checkDependencyVersions(manifest, 'package');
    return packagePlan;
  });
  const writeTurn = planTurn.then(async () => {
    makeCacheDirectory(options.buildFolder);
    await waitForFileLock(path, SCRATCH_SPACE, context);
    report.release();
  });
  writeTurn.catch(() => {});
  const { written, ...archived } = await inTurn(writeTurn, () => {
    report.status('Packaging', describePackage(id));
    return withContextAsync('failed to prepare local package for uploading', async () => {
      const content = archivedManifest(plan, options, report);
      const files = archiveFiles(plan, { ...options, ...content, turn: writeTurn }, { signal, report });
      const destination = { path, topFolder: packageDirName(id), signal, turn: writeTurn, onRead };
      return { ...content, written: await writeCrate(files, destination) };
    });
  });
  const { fileCount, bytes, compressedBytes } = written;
  const sizes = `${humanBytes(bytes)} (${humanBytes(compressedBytes)} compressed)`;
  report.status('Packaged', `${fileCount} files, ${sizes}`);
  if (options.localRegistry !== null && manifest.publish?.length !== 0) {
    // Like cargo, fail here if the readme cannot be read, although only an upload needs it.
    readReadme(manifest, options.files);
    await options.localRegistry.add({
      summary: archived.prepared.summary,
      features: writtenFeatures(archived.manifestText),
      archive: { path, sha256: written.sha256 },
    });
  }
  return { ...written, ...archived, path };
}

/** Prepares the manifest for an archive. Warns about omitted targets, and throws if none is left. */
function archivedManifest(
  { manifest, archive }: PackagePlan,
  { config, workspace, files }: Omit<PackCrateOptions, 'turn'>,
  report: Report,
): ArchivedManifest {
  const { path, summary } = manifest;
  const { sources } = workspace.manifests;
  const { text, warnings } = prepareManifest({
    manifest,
    text: Buffer.from(files.read(path) ?? []).toString('utf8'),
    rootManifest: workspace.rootManifest,
    included: new Set(archive.files.map((file) => file.path)),
    files,
    registryIndex: (name) => registryIndexUrl(config, name),
  });
  for (const warning of warnings) report.warning(warning);
  const prepared = readPreparedManifest(text, {
    path,
    source: summary.id.source,
    sources,
    registry: (name) => registryIndex(config, name, sources),
  });
  return { prepared, manifestText: text };
}

/** Yields the files of an archive in its order. Creates and reports generated files only when they are reached. */
async function* archiveFiles(
  { archive }: PackagePlan,
  options: Omit<PackCrateOptions, 'turn'> & ArchivedManifest & { readonly turn: Promise<void> },
  context: OperationContext,
): AsyncGenerator<ArchiveFile> {
  const { prepared, manifestText, localRegistry, openSources, turn } = options;
  const lockfile = async (): Promise<string> => {
    // Resolving needs the previous packages in the local registry.
    if (localRegistry !== null) await turn;
    return lockPackage(prepared, { ...openSources(), ...options }, context);
  };
  const generate = {
    manifest: () => manifestText,
    lockfile,
    'vcs-info': () => present(archive.vcsInfo, 'the VCS information'),
  };
  for (const { path, content } of archive.files) {
    context.report.verbose('Archiving', path);
    if (content.kind === 'copy') yield { path, content };
    else {
      yield { path, content: { kind: 'generate', bytes: Buffer.from(await generate[content.what]()) } };
    }
  }
}

/** Runs `body` at once. If it fails, waits for `turn` before it rejects, so that earlier failures take precedence. */
async function inTurn<T>(turn: Promise<void>, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    await turn;
    throw error;
  }
}
