/** Makes the archive of one package in the scratch folder. Cargo Book: cargo package. */
import { join } from 'node:path';
import { type WrittenCrate, writeCrate } from '../../../io/archive/write-crate.ts';
import { makeCacheDirectory } from '../../../io/disk/cache-directory-tag.ts';
import { type LockContext, waitForFileLock } from '../../../io/disk/file-lock.ts';
import { withContextAsync } from '../../../core/errors/error.ts';
import { checkDependencyVersions } from '../../../core/manifest/check-versions.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import { bufferReport } from '../../../core/report/buffered-report.ts';
import { humanBytes } from '../../../core/report/human-bytes.ts';
import { crateFileName } from '../../../io/sources/crate-file.ts';
import { packageDirName } from '../../../io/sources/unpack-package.ts';
import type { LocalRegistryWriter } from '../../../io/sources/write-local-registry.ts';
import { type ArchiveOptions, fillArchive } from './fill-archive.ts';
import { planPackage, type PlanPackageOptions } from './plan-package.ts';
import { readReadme } from './read-readme.ts';

/** The name of the scratch folder in status lines. */
export const SCRATCH_SPACE = 'package scratch space';

/** Options for making an archive. */
export interface PackCrateOptions extends ArchiveOptions {
  readonly planning: PlanPackageOptions;
  /** Receives the package; null if no registry is needed. */
  readonly made: LocalRegistryWriter | null;
  /** Absolute. */
  readonly buildFolder: string;
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
export interface PackedArchive extends WrittenCrate {
  /** Absolute path of the archive. */
  readonly path: string;
  /** The manifest in the archive, and its text. */
  readonly prepared: PackageManifest;
  readonly manifestText: string;
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

async function makeArchive(
  manifest: PackageManifest,
  { turn, onRead, ...options }: PackCrateOptions & { readonly onRead: () => void },
  context: LockContext,
): Promise<PackedArchive> {
  const { signal } = context;
  const { id } = manifest.summary;
  const path = join(options.scratchFolder, crateFileName(id));
  const [planned, report] = [bufferReport(context.report), bufferReport(context.report)];
  const turned = turn.then(() => planned.release());
  // Prevents an unhandled rejection. The code that awaits `turned` handles the failure.
  turned.catch(() => {});
  const plan = await inTurn(turned, async () => {
    const plan = await planPackage(manifest, options.planning, { ...context, report: planned });
    checkDependencyVersions(manifest, 'package');
    return plan;
  });
  const opened = turned.then(async () => {
    makeCacheDirectory(options.buildFolder);
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
    // Like cargo, fail here if the readme cannot be read, although only an upload needs it.
    readReadme(manifest, options.files);
    await options.made.add({
      summary: filled.prepared.summary,
      features: filled.features,
      archive: { path, sha256: written.sha256 },
    });
  }
  const { prepared, text: manifestText } = filled;
  return { ...written, path, prepared, manifestText };
}

/** Runs `body`. If it fails, waits for `turn` first, so that earlier failures take precedence. */
async function inTurn<T>(turn: Promise<void>, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    await turn;
    throw error;
  }
}
