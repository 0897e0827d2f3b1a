/** From summaries to unpacked packages, for registries that packages are downloaded from. */
import { join } from 'node:path';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { TsregError, withContext, withContextAsync } from '../errors/error.ts';
import { joinPath } from '../files/path.ts';
import { describePackage } from '../package-id/describe.ts';
import { makePackageId, type PackageId } from '../package-id/package-id.ts';
import type { Summary } from '../summary/summary.ts';
import type { CrateDownload, CrateDownloads } from './crate-downloads.ts';
import { crateFileName, isRight, isStoredWhole, readCrate, storeCrate } from './crate-file.ts';
import { hasCrate, isMarked, isUnpacked, recordPackage } from './package-presence.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import { withReplacedAsync } from './replacement-context.ts';
import type { FetchedPackage, FetchListener, PackageSource } from './source.ts';
import type { SourceContext } from './source-context.ts';
import { packageDirName, removeUnfinishedUnpacks, unpackPackage } from './unpack-package.ts';
import { UnpackThreads } from './unpack-threads.ts';

/** Downloads that are under way at a time; how many of them a server gets is up to the transport. */
const CONCURRENCY = 64;

/** A registry as far as fetching goes. */
export interface FetchOptions extends FetchListener {
  readonly source: PackageSource;
  readonly context: SourceContext;
  readonly downloads: () => CrateDownloads;
  /** True if what the registry says of itself is on disk. */
  readonly isConfigured: () => boolean;
  /** Gets it; the lock on the package cache is held. */
  readonly configure: () => Promise<void>;
  /** Says where a package is downloaded; the lock on the package cache is held. */
  readonly locate: (subject: { id: PackageId; checksum: string }) => Promise<CrateDownload>;
  /** True if an archive is on disk, as far as was found out before anything is fetched. */
  readonly isStored: (folder: string, file: string) => boolean;
}

/**
 * Puts packages on disk, in the order of the argument. What is unpacked already is taken as it is, without
 * the lock, if its `.crate` is still there; else a `.crate` that is there and right is unpacked, else it is
 * downloaded. After a failure no further download is begun.
 */
export async function fetchPackages(
  summaries: readonly Summary[],
  options: FetchOptions,
): Promise<readonly FetchedPackage[]> {
  const places = new Map<Summary, PackagePlace>();
  const downloaded = new Set<Summary>();
  const foldersBelow = registryFoldersOf(options.source.actual);
  const { home: shared, ownHome } = options.context.cache;
  if (options.isConfigured()) {
    const homes = [shared, ownHome].map(foldersBelow);
    for (const summary of summaries) {
      const place = findUnpacked(summary.id, homes, options);
      if (place !== null) places.set(summary, place);
    }
  }
  const fetched = (summary: Summary): FetchedPackage => {
    const { root, folders } = places.get(summary) ?? lost(summary);
    const archive = { folder: folders.cache, name: crateFileName(summary.id) };
    return { id: summary.id, root, archive, wasDownloaded: downloaded.has(summary) };
  };
  const missing = summaries.filter((summary) => !places.has(summary));
  if (missing.length > 0) {
    await options.context.cache.hold(async (home) => {
      const folders = foldersBelow(home);
      markCacheDirectory(folders.base);
      removeUnfinishedUnpacks(folders.src);
      const { unpacking } = options.context;
      const threads = unpacking ?? new UnpackThreads();
      threads.expect(missing.length);
      let told = 0;
      try {
        await forEachConcurrently(missing, async (summary) => {
          const { root, wasDownloaded } = await fetchOne(summary, { folders, threads }, options);
          places.set(summary, { root, folders });
          if (wasDownloaded) downloaded.add(summary);
          for (let next = missing[told]; next !== undefined && places.has(next); next = missing[told]) {
            told += 1;
            options.onUnpacked?.(fetched(next));
          }
        });
      } finally {
        if (unpacking === undefined) await threads.close();
      }
    });
  }
  return summaries.map(fetched);
}

/** A package on disk. */
interface PackagePlace {
  readonly root: string;
  readonly folders: RegistryFolders;
}

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
        return { root, folders };
      }
    } catch {
      // Said when it is to be unpacked.
    }
  }
  return null;
}

/** Where packages of one registry go. */
interface UnpackTarget {
  readonly folders: RegistryFolders;
  readonly threads: UnpackThreads;
}

/** Where one package goes. */
interface PackageTarget extends UnpackTarget {
  readonly id: PackageId;
  /** Of its folder. */
  readonly root: string;
  /** Of its `.crate`. */
  readonly path: string;
  readonly options: FetchOptions;
}

/** Unpacks what stands in the cache under its right checksum. Its bytes are not kept while it waits for a thread. */
async function unpackStored({ id, path, folders, threads }: PackageTarget): Promise<void> {
  const order = { archive: path, parent: folders.src, dirName: packageDirName(id) };
  if (!(await threads.unpack(order))) unpackPackage(readCrate(path), id, folders.src);
}

/** Checks what was downloaded, keeps it in the cache, and unpacks it unless that was done before. */
async function keep(bytes: Uint8Array, checksum: string, target: PackageTarget): Promise<void> {
  const { id, root, path, folders, threads } = target;
  const order = { archive: { bytes, checksum, path }, parent: folders.src, dirName: packageDirName(id) };
  // Without a mark there is nothing to find out first.
  if (isMarked(root) || !(await threads.unpack(order))) {
    if (!isRight(bytes, checksum)) {
      throw new TsregError(`failed to verify the checksum of \`${describePackage(id)}\``, {
        code: 'checksum',
      });
    }
    await storeCrate(path, bytes);
    if (isUnpackedPackage(root, id)) return;
    unpackPackage(bytes, id, folders.src);
  }
}

async function fetchOne(
  summary: Summary,
  target: UnpackTarget,
  options: FetchOptions,
): Promise<{ readonly root: string; readonly wasDownloaded: boolean }> {
  const { folders } = target;
  const { source, locate } = options;
  const id = makePackageId(summary.id.name, summary.id.version, source.actual);
  const path = join(folders.cache, crateFileName(id));
  const whileStarting = <T>(body: () => Promise<T>): Promise<T> =>
    withContextAsync(
      () => `failed to download \`${describePackage(summary.id)}\``,
      () =>
        withContextAsync('unable to get packages from source', () =>
          withReplacedAsync('download', source, body),
        ),
    );
  const root = join(folders.src, packageDirName(id));
  const place: PackageTarget = { ...target, id, root, path, options };
  const ready = await whileStarting(async () => {
    await options.configure();
    if (hasCrate(path) && isUnpackedPackage(root, id)) return { root };
    const { checksum } = summary;
    if (checksum === null)
      throw new TsregError(`no hash listed for ${describePackage(id)}`, { code: 'source', isInternal: true });
    // A file that another program did not finish is as good as none.
    if (isStoredWhole(path, checksum)) {
      await unpackStored(place);
      return { root };
    }
    return { checksum, crate: await locate({ id, checksum }) };
  });
  if (ready.crate === undefined) return { root: ready.root, wasDownloaded: false };
  const { crate, checksum } = ready;
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
  await withReplacedAsync('download', source, () => keep(bytes, checksum, place));
  return { root, wasDownloaded: true };
}

function isUnpackedPackage(root: string, id: PackageId): boolean {
  return withContext(
    () => `failed to unpack package \`${describePackage(id)}\``,
    () => isUnpacked(root),
  );
}

/** Runs `body` for every item, some at a time, until one fails; rejects with the first failure when all that run have ended. */
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

function lost(summary: Summary): never {
  throw new TsregError(`\`${describePackage(summary.id)}\` was fetched and is not there`, { code: 'bug' });
}
