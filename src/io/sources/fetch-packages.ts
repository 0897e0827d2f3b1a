/** Downloads and unpacks packages of remote registries. */
import { join } from 'node:path';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { TsregError, withContext, withContextAsync } from '../../core/errors/error.ts';
import { joinPath } from '../../core/files/path.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import { makePackageId, type PackageId } from '../../core/package-id/package-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { CrateDownload, CrateDownloads } from './crate-downloads.ts';
import { crateFileName, isRight, isStoredWhole, readCrate, storeCrate } from './crate-file.ts';
import { hasCrate, isMarked, isUnpacked, recordPackage } from './package-presence.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import { withReplacedAsync } from './replacement-context.ts';
import type { FetchedPackage, FetchListener, Source } from './source.ts';
import type { SourceContext } from './source-context.ts';
import { packageDirName, removeUnfinishedUnpacks, unpackPackage } from './unpack-package.ts';
import { UnpackThreads } from './unpack-threads.ts';

/** Maximum number of concurrent downloads. The transport limits them per server. */
const CONCURRENCY = 64;

/** A registry, as far as fetching needs it. */
export interface FetchOptions extends FetchListener {
  readonly source: Source;
  readonly context: SourceContext;
  readonly downloads: () => CrateDownloads;
  /** Returns true if the registry's `config.json` is on disk. */
  readonly isConfigured: () => boolean;
  /** Fetches `config.json`. Called with the lock on the package cache held. */
  readonly configure: () => Promise<void>;
  /** Returns where to download a package. Called with the lock on the package cache held. */
  readonly locate: (subject: { id: PackageId; checksum: string }) => Promise<CrateDownload>;
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
      let reported = 0;
      try {
        await forEachConcurrently(missing, async (summary) => {
          const { root, wasDownloaded } = await fetchOne(summary, { folders, threads }, options);
          places.set(summary, { root, folders });
          if (wasDownloaded) downloaded.add(summary);
          for (
            let next = missing[reported];
            next !== undefined && places.has(next);
            next = missing[reported]
          ) {
            reported += 1;
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
      // Unpacking throws the error again.
    }
  }
  return null;
}

/** The folders and threads of one registry. */
interface UnpackTarget {
  readonly folders: RegistryFolders;
  readonly threads: UnpackThreads;
}

/** The destination of one package. */
interface PackageTarget extends UnpackTarget {
  readonly id: PackageId;
  /** Absolute path of its folder. */
  readonly root: string;
  /** Absolute path of its `.crate`. */
  readonly path: string;
  readonly options: FetchOptions;
}

/** Unpacks a verified `.crate` from the cache. Does not hold its bytes in memory while it waits for a thread. */
async function unpackStored({ id, path, folders, threads }: PackageTarget): Promise<void> {
  const order = { archive: path, parent: folders.src, dirName: packageDirName(id) };
  if (!(await threads.unpack(order))) unpackPackage(readCrate(path), id, folders.src);
}

/** Verifies a downloaded `.crate`, saves it to the cache, and unpacks it unless it is already unpacked. */
async function keep(bytes: Uint8Array, checksum: string, target: PackageTarget): Promise<void> {
  const { id, root, path, folders, threads } = target;
  const order = { archive: { bytes, checksum, path }, parent: folders.src, dirName: packageDirName(id) };
  // Without a mark, the package cannot be unpacked yet.
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
    // A file that another program did not finish counts as missing.
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

function lost(summary: Summary): never {
  throw new TsregError(`\`${describePackage(summary.id)}\` was fetched and is not there`, { code: 'bug' });
}
