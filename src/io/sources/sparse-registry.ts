/** Registries with the sparse protocol. Cargo Book: Registry Index, Sparse protocol. */
import { existsSync } from 'node:fs';
import { present } from '../../core/errors/assert.ts';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { downloadUrl } from '../../core/protocol/download-url.ts';
import type { IndexConfig } from '../../core/protocol/index-config.ts';
import type { IndexEntry, IndexSources } from '../../core/protocol/index-line.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import { ParseCache } from '../../core/summary/parse-cache.ts';
import { ABSENT, type RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import type { FetchOptions } from './fetch-packages.ts';
import type { IndexFile } from './index-cache.ts';
import { CachedLines } from './cached-lines.ts';
import { decodeIndexFile, IndexSummaries } from './index-summaries.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import { similarIndexNames } from './similar-index-names.ts';
import type { RegistrySurroundings, RemoteRegistry } from './remote-registry.ts';
import { type FetchedPackage, type FetchListener, Source } from './source.ts';
import type { RegistryContext } from './source-context.ts';
import { StoredCrates } from './stored-crates.ts';
import { SparseIndex } from './sparse-index.ts';

/**
 * A registry whose index is requested file by file. Until it is updated, locked versions are read from cached files,
 * without lock and network. `Source` and `RemoteRegistry` document the methods.
 *
 * Its caches in memory:
 *
 *     cache               content                                           cleared by
 *     #loaded             parsed index files, by name                       expire, invalidate
 *     #lines              single lines of files on disk, for `exact`        expire, invalidate
 *     #index              `config.json` and the bytes of index files        expire, invalidate
 *     #crates             which `.crate` files are on disk                  the end of fetch
 *
 * `expire` makes `isUpdated` true, so that each file is requested once more. `invalidate` also prints `Updating` again.
 * Neither deletes files on disk: the request sends their revision, and its response keeps, replaces or removes them.
 */
export class SparseRegistry extends Source implements RemoteRegistry {
  readonly #context: RegistryContext;
  readonly #from: IndexSources;
  readonly #crates: StoredCrates;
  readonly #foldersBelow: (home: string) => RegistryFolders;
  readonly #index: SparseIndex;
  readonly #fetchOptions: FetchOptions;
  readonly #loaded = new Map<string, IndexSummaries>();
  readonly #lines: CachedLines;

  constructor(original: SourceId, actual: SourceId, { context, access }: RegistrySurroundings) {
    super(original, actual);
    this.#from = { original, actual, parsed: new ParseCache() };
    this.#context = context;
    this.#foldersBelow = registryFoldersOf(actual);
    this.#crates = new StoredCrates(actual, context);
    this.#lines = new CachedLines(this.#from, context);
    this.#index = new SparseIndex(actual, context, access);
    this.#fetchOptions = {
      source: this,
      context,
      downloads: () => access.downloads,
      isConfigured: () =>
        [context.cache.home, context.cache.ownHome].some((home) => this.#index.hasConfig(home)),
      isStored: (...file) => this.#crates.isIn(...file),
      configure: async () => {
        await context.cache.hold((home) => this.#index.config(home));
      },
      locate: async ({ id, checksum }) => {
        const config = await context.cache.hold((home) => this.#index.config(home));
        const authorization = await this.#index.authorization(config);
        const url = downloadUrl(config.dl, { name: id.name, version: id.version.text, checksum });
        return { id, url, authorization };
      },
    };
  }

  override get isUpdated(): boolean {
    return this.#index.isUpdated;
  }

  override invalidate(): void {
    this.#index.invalidate();
    this.#forget();
  }

  expire(): void {
    this.#index.expire();
    this.#forget();
  }

  override announce(name: string, isLocked: boolean): boolean {
    // The lock file is newer than the cached index: query the origin.
    if (isLocked && !this.isUpdated && this.#hasIndexOf(name)) this.expire();
    return this.#index.announce();
  }

  override prefetch(names: readonly string[]): void {
    this.#index.prefetch(names.map(indexPath));
    const { cache, offlineFlag, unpacking } = this.#context;
    if (unpacking === undefined || offlineFlag !== null) return;
    // If nothing is unpacked yet, all packages will have to be.
    if (existsSync(this.#foldersBelow(cache.home).src)) return;
    unpacking.expect(names.length);
    unpacking.start();
  }

  override cancelPrefetch(): void {
    this.#index.cancelPrefetch();
  }

  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return this.#summaries(name)?.all(accepts) ?? UNKNOWN;
  }

  override atHand(
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    return (this.#summaries(name) ?? this.#storedSummaries(name))?.all(accepts) ?? UNKNOWN;
  }

  override downloaded(
    name: string,
    accepts: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    const { offlineFlag, cache } = this.#context;
    // The index file counts if it is loaded or may have to be requested.
    if (offlineFlag === null || !this.isUpdated || !cache.isHeld || this.#loaded.has(name)) return UNKNOWN;
    const versions = this.#crates.versionsOf(name);
    if (versions === null) return UNKNOWN;
    const summaries: Summary[] = [];
    for (const version of versions) {
      if (!accepts(version) || !this.#crates.has({ name, version })) continue;
      const entry = this.#lines.find(name, version);
      if (entry === null) return UNKNOWN;
      summaries.push(entry.summary);
    }
    return summaries;
  }

  override rejected(name: string): readonly RejectedVersion[] {
    return this.#summaries(name)?.rejected ?? [];
  }

  override exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    const summaries = this.isUpdated ? this.#summaries(name) : (this.#loaded.get(name) ?? null);
    const summary =
      summaries?.exact(version) ?? this.#lines.entriesOf(name).get(version.text)?.summary ?? null;
    if (summary !== null) return summary;
    if (this.isUpdated) return summaries === null ? UNKNOWN : ABSENT;
    return this.#lines.findNew(name, version)?.summary ?? UNKNOWN;
  }

  override async request(names: readonly string[]): Promise<void> {
    await this.#withMark((home) => this.#load(names, home));
  }

  async load(names: readonly string[]): Promise<void> {
    await this.#withMark(async (home) => {
      await this.#load(names, home);
      // A cached file that lacks a locked version is older than the lock file.
      const isOutdated = (name: string): boolean =>
        this.#lines.missingVersions(name).some((version) => this.#loaded.get(name)?.exact(version) === null);
      if (this.isUpdated || !names.some(isOutdated)) return;
      this.expire();
      await this.#load(names, home);
    });
  }

  override async yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    this.expire();
    await this.request(ids.map(({ name }) => name));
    return super.yankedAmong(ids);
  }

  async config(): Promise<IndexConfig> {
    return this.#index.storedConfig() ?? this.#withMark((home) => this.#index.config(home));
  }

  async current(name: string): Promise<readonly Summary[]> {
    const byName = await this.currentOf([name]);
    return present(byName.get(name), 'a requested package');
  }

  async currentOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Summary[]>> {
    this.expire();
    const current = new Map<string, readonly Summary[]>();
    for (const name of names) {
      await this.request([name]);
      current.set(name, this.#loaded.get(name)?.all() ?? []);
    }
    return current;
  }

  isDownloaded(name: string, version: Version): boolean {
    return this.#crates.has({ name, version });
  }

  async fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]> {
    try {
      await this.#refresh(summaries);
      const { fetchPackages } = await import('./fetch-packages.ts');
      return await fetchPackages(summaries, { ...this.#fetchOptions, ...listener });
    } finally {
      this.#crates.forget();
    }
  }

  async similarNames(name: string): Promise<readonly string[]> {
    return await this.#context.cache.hold((home) =>
      similarIndexNames(name, (other) => this.#entries(other, home)),
    );
  }

  /** Returns true if index data of `name` is available, however old. Always true without network. */
  #hasIndexOf(name: string): boolean {
    return (
      this.#context.offlineFlag !== null ||
      this.#loaded.has(name) ||
      this.#index.onDisk(indexPath(name)) !== null
    );
  }

  /** Requests all packages to fetch from an updated index, even if they were found on disk before. */
  async #refresh(summaries: readonly Summary[]): Promise<void> {
    if (!this.isUpdated || this.#context.offlineFlag !== null) return;
    const names = summaries.map(({ id }) => id.name).filter((name) => !this.#loaded.has(name));
    if (names.length > 0) await this.request(names);
  }

  /** Clears the caches above those of `#index`, which must be cleared too. */
  #forget(): void {
    this.#loaded.clear();
    this.#lines.forget();
  }

  async #entries(name: string, home: string): Promise<readonly IndexEntry[]> {
    const file = await this.#index.file(indexPath(name), home);
    return decodeIndexFile(file, { from: this.#from, sources: this.#context.sources });
  }

  /** Returns the index data of a package; null until it is loaded. Without network, reads it from disk. */
  #summaries(name: string): IndexSummaries | null {
    const loadedSummaries = this.#loaded.get(name);
    if (loadedSummaries !== undefined) return loadedSummaries;
    const { cache, offlineFlag } = this.#context;
    if (offlineFlag === null || !cache.isHeld) return null;
    return this.#decode(name, this.#index.onDisk(indexPath(name)));
  }

  /** Returns index data from disk, however old; null if there is none, or if the index is updated. */
  #storedSummaries(name: string): IndexSummaries | null {
    if (this.isUpdated || !this.#context.cache.isHeld) return null;
    const file = this.#index.onDisk(indexPath(name));
    return file === null ? null : this.#decode(name, file);
  }

  /** Runs `body` with the lock held, after the folder is marked as a cache for backup programs. */
  #withMark<T>(body: (home: string) => Promise<T>): Promise<T> {
    return this.#context.cache.hold((home) => {
      markCacheDirectory(this.#foldersBelow(home).base);
      return body(home);
    });
  }

  /** Loads names that are not loaded yet. Rejects with the first error in the order of `names`. */
  async #load(names: readonly string[], home: string): Promise<void> {
    const loads = names
      .filter((name) => !this.#loaded.has(name))
      .map(async (name) => this.#decode(name, await this.#index.file(indexPath(name), home)));
    // Cache files are written under the lock: all loads must end before it is released.
    await Promise.allSettled(loads);
    for (const load of loads) await load;
  }

  /** Caches the index data of a package and returns it. `file` is null for a package that the index does not have. */
  #decode(name: string, file: IndexFile | null): IndexSummaries {
    const { sources } = this.#context;
    const decodedEntries = this.#lines.entriesOf(name);
    const summaries = new IndexSummaries(file, { name, from: this.#from, sources, decodedEntries });
    this.#loaded.set(name, summaries);
    return summaries;
  }
}
