/** Downloads and unpacks packages of remote registries. */
import { join } from 'node:path';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import { makePackageId, type PackageId } from '../../core/package-id/package-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { CrateDownload, CrateDownloads } from './crate-downloads.ts';
import {
  crateFileName,
  hasChecksum,
  isStoredWithChecksum,
  readCrate,
  storeCrate,
  packageDirName,
} from './crate-file.ts';
import { hasCrate, isMarked, isUnpacked, recordPackage } from './package-presence.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import { withDownloadContext, withReplacedAsync } from './replacement-context.ts';
import type { FetchedPackage, FetchListener, Source } from './source.ts';
import type { RegistryContext } from './source-context.ts';
import { removeUnfinishedUnpacks, unpackPackage } from './unpack-package.ts';
import { UnpackThreads } from './unpack-threads.ts';

/** Maximum number of concurrent downloads. The transport limits them per server. */
const CONCURRENCY = 64;

/** The registry to fetch from. */
export interface FetchOptions extends FetchListener {
  readonly source: Source;
  readonly context: RegistryContext;
  /** Returns the downloads of the operation. Called before the first download, and may throw. */
  readonly downloads: () => CrateDownloads;
  /** Returns true if the registry's `config.json` is on disk. */
  readonly isConfigured: () => boolean;
  /** Fetches `config.json`. Called with the lock on the package cache held. */
  readonly configure: () => Promise<void>;
  /** Returns where to download a package. Called with the lock on the package cache held. */
  readonly locate: (crate: { id: PackageId; checksum: string }) => Promise<CrateDownload>;
  /** Returns true if an archive was on disk before the fetch. */
  readonly isStored: (folder: string, file: string) => boolean;
}

/**
 * Puts packages on disk, in the order of `summaries`. Reuses an unpacked package, without the lock, if its `.crate`
 * still exists. Otherwise unpacks a `.crate` with the right checksum, or downloads it. Starts no download after a
 * failure.
 */
export async function fetchPackages(
  summaries: readonly Summary[],
  options: FetchOptions,
): Promise<readonly FetchedPackage[]> {
  const foldersBelow = registryFoldersOf(options.source.actual);
  const places = findUnpackedPackages(summaries, foldersBelow, options);
  const fetchedPackage = (summary: Summary): FetchedPackage => {
    const { root, folders, wasDownloaded } = present(places.get(summary), 'a fetched package');
    const archive = { folder: folders.cache, name: crateFileName(summary.id) };
    return { id: summary.id, root, archive, wasDownloaded };
  };
  const missing = summaries.filter((summary) => !places.has(summary));
  let reportedCount = 0;
  const addPlace = (summary: Summary, place: PackagePlace): void => {
    places.set(summary, place);
    // Packages are complete in any order. Each report waits for those of earlier packages.
    let next = missing[reportedCount];
    while (next !== undefined && places.has(next)) {
      reportedCount += 1;
      options.onUnpacked?.(fetchedPackage(next));
      next = missing[reportedCount];
    }
  };
  if (missing.length > 0) {
    await options.context.cache.hold((home) =>
      fetchMissing(missing, { ...options, folders: foldersBelow(home), addPlace }),
    );
  }
  return summaries.map(fetchedPackage);
}

/** A package on disk. */
interface PackagePlace {
  /** Absolute path of its folder. */
  readonly root: string;
  readonly folders: RegistryFolders;
  readonly wasDownloaded: boolean;
}

/** Returns the packages that are unpacked already. Takes no lock. */
function findUnpackedPackages(
  summaries: readonly Summary[],
  foldersBelow: (home: string) => RegistryFolders,
  options: FetchOptions,
): Map<Summary, PackagePlace> {
  const places = new Map<Summary, PackagePlace>();
  if (!options.isConfigured()) return places;
  const { home, ownHome } = options.context.cache;
  const homes = [home, ownHome].map(foldersBelow);
  for (const summary of summaries) {
    const place = findUnpacked(summary.id, homes, options);
    if (place !== null) places.set(summary, place);
  }
  return places;
}

/** Returns the place of an unpacked package whose `.crate` exists; null if there is none. */
function findUnpacked(
  id: PackageId,
  homes: readonly RegistryFolders[],
  { isStored }: FetchOptions,
): PackagePlace | null {
  for (const folders of homes) {
    const root = joinPath(folders.src, packageDirName(id));
    const archive = crateFileName(id);
    try {
      if (!isStored(folders.cache, archive)) continue;
      if (isUnpacked(root)) {
        recordPackage(root, joinPath(folders.cache, archive));
        return { root, folders, wasDownloaded: false };
      }
    } catch {
      // Unpacking throws the error again.
    }
  }
  return null;
}

/** A fetch of packages that are not unpacked yet. */
interface MissingOptions extends FetchOptions {
  /** The folders to write to. */
  readonly folders: RegistryFolders;
  /** Called for each package that is on disk now, in any order. */
  readonly addPlace: (summary: Summary, place: PackagePlace) => void;
}

/** Unpacks or downloads packages. The lock on the package cache must be held. */
async function fetchMissing(missing: readonly Summary[], options: MissingOptions): Promise<void> {
  const { folders, addPlace } = options;
  markCacheDirectory(folders.base);
  removeUnfinishedUnpacks(folders.src);
  const { unpacking } = options.context;
  const threads = unpacking ?? new UnpackThreads();
  threads.expect(missing.length);
  try {
    await forEachConcurrently(missing, async (summary) => {
      addPlace(summary, await fetchPackage(summary, threads, options));
    });
  } finally {
    if (unpacking === undefined) await threads.close();
  }
}

/** The destination of one package. */
interface PackageTarget {
  /** The package in the registry that serves it. */
  readonly id: PackageId;
  /** Absolute path of its folder. */
  readonly root: string;
  /** Absolute path of its `.crate`. */
  readonly path: string;
  readonly folders: RegistryFolders;
  readonly threads: UnpackThreads;
}

/** Puts one package on disk. Throws with cargo's chain of causes, which is shorter for errors of the download. */
async function fetchPackage(
  summary: Summary,
  threads: UnpackThreads,
  options: MissingOptions,
): Promise<PackagePlace> {
  const { source, locate, folders } = options;
  const id = makePackageId(summary.id.name, summary.id.version, source.actual);
  const path = join(folders.cache, crateFileName(id));
  const root = join(folders.src, packageDirName(id));
  const target: PackageTarget = { id, root, path, folders, threads };
  const download = await withDownloadContext(summary.id, source, async () => {
    await options.configure();
    if (hasCrate(path) && isUnpackedPackage(root, id)) return null;
    const { checksum } = summary;
    if (checksum === null)
      throw new TsregError(`no hash listed for ${describePackage(id)}`, { code: 'source', isInternal: true });
    // A file that another program did not finish counts as missing.
    if (isStoredWithChecksum(path, checksum)) {
      await unpackStored(target);
      return null;
    }
    return { checksum, crate: await locate({ id, checksum }) };
  });
  if (download === null) return { root, folders, wasDownloaded: false };
  const { crate, checksum } = download;
  const { offlineFlag } = options.context;
  if (offlineFlag !== null) {
    throw new TsregError(`failed to download \`${describePackage(summary.id)}\``, {
      cause: new TsregError(`attempting to make an HTTP request, but ${offlineFlag} was specified`, {
        code: 'network',
      }),
    });
  }
  const downloading = options.downloads().download(crate);
  options.onBegun?.();
  const bytes = await downloading;
  await withReplacedAsync('download', source, () => saveAndUnpack(bytes, checksum, target));
  return { root, folders, wasDownloaded: true };
}

/** Unpacks a verified `.crate` from the cache. Does not hold its bytes in memory while it waits for a thread. */
async function unpackStored({ id, path, folders, threads }: PackageTarget): Promise<void> {
  const order = { archive: path, parent: folders.src, dirName: packageDirName(id) };
  if (!(await threads.unpack(order))) unpackPackage(readCrate(path), id, folders.src);
}

/** Verifies a downloaded `.crate`, saves it to the cache, and unpacks it unless it is already unpacked. */
async function saveAndUnpack(bytes: Uint8Array, checksum: string, target: PackageTarget): Promise<void> {
  const { id, root, path, folders, threads } = target;
  const order = { archive: { bytes, checksum, path }, parent: folders.src, dirName: packageDirName(id) };
  // Without a mark, the package cannot be unpacked yet. A thread that fails leaves the error to the code below.
  if (!isMarked(root) && (await threads.unpack(order))) return;
  if (!hasChecksum(bytes, checksum)) {
    throw new TsregError(`failed to verify the checksum of \`${describePackage(id)}\``, { code: 'checksum' });
  }
  await storeCrate(path, bytes);
  if (!isUnpackedPackage(root, id)) unpackPackage(bytes, id, folders.src);
}

/** Like `isUnpacked`, with the package in errors. */
function isUnpackedPackage(root: string, id: PackageId): boolean {
  return withContext(
    () => `failed to unpack package \`${describePackage(id)}\``,
    () => isUnpacked(root),
  );
}

/** Runs `body` for every item, some at a time, until one fails. Rejects with the first failure after all have ended. */
async function forEachConcurrently<T>(items: readonly T[], body: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) {
      if (failures.length > 0) return;
      try {
        await body(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length > 0) throw failures[0];
}
