/** A registry whose index is a git repository. Cargo Book: Registries. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { authorizationOf } from '../../core/protocol/check-token.ts';
import { downloadUrl } from '../../core/protocol/download-url.ts';
import type { IndexConfig } from '../../core/protocol/index-config.ts';
import type { IndexEntry } from '../../core/protocol/index-line.ts';
import { ABSENT, type RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import type { CrateDownload } from './crate-downloads.ts';
import { fetchPackages, type FetchOptions } from './fetch-packages.ts';
import { GitIndex } from './git-index.ts';
import type { IndexFile } from './index-cache.ts';
import { decodeIndexFile, IndexSummaries } from './index-summaries.ts';
import type { RegistryAccess } from './registry-access.ts';
import { similarIndexNames } from './similar-index-names.ts';
import type { RegistrySurroundings, RemoteRegistry } from './remote-registry.ts';
import { type FetchedPackage, type FetchListener, Source } from './source.ts';
import type { RegistryContext } from './source-context.ts';
import { StoredCrates } from './stored-crates.ts';

/**
 * Returns locked versions from the index of the last fetch. Any other query fetches the index once. `Source` and
 * `RemoteRegistry` document the methods.
 *
 * The index has one of three states. At first it is that of an earlier run, and good enough for locked versions. After
 * `invalidate` it must be fetched before its next use (`#needsUpdate`). From the start of the first fetch of the
 * operation on, it is updated (`isUpdated`), for all registries with this index, and only `currentOf` fetches it again. A
 * failed fetch counts too, so that it is not repeated. Each entry of `#byName` says at which of these fetches it was read,
 * and is read again after the next one. During a fetch, queries would use the old index: callers must wait for `load`
 * before they query the same registry, as `SummaryLoader` does.
 */
export class GitRegistry extends Source implements RemoteRegistry {
  readonly #context: RegistryContext;
  readonly #crates: StoredCrates;
  readonly #index: GitIndex;
  readonly #access: RegistryAccess;
  readonly #byName = new Map<string, ReadPackage>();
  /** Files that were looked up and are not in the cache yet, by name; null for a missing file. */
  readonly #unwritten = new Map<string, IndexFile | null>();
  #wasInvalidated = false;

  constructor(original: SourceId, actual: SourceId, { context, access }: RegistrySurroundings) {
    super(original, actual);
    this.#context = context;
    this.#crates = new StoredCrates(actual, context);
    this.#index = new GitIndex(actual, context);
    this.#access = access;
  }

  override get isUpdated(): boolean {
    return this.#fetches > 0;
  }

  /** The state of `indexFetches`; 0 before the first fetch. */
  get #fetches(): number {
    return this.#context.cache.indexFetches.get(this.actual.key) ?? 0;
  }

  /** True if the index must be fetched before its next use, even for locked versions. */
  get #needsUpdate(): boolean {
    return this.#wasInvalidated && !this.isUpdated;
  }

  override invalidate(): void {
    this.#wasInvalidated = true;
  }

  /** The same, because an update is announced only once in any case. */
  expire(): void {
    this.invalidate();
  }

  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return this.isUpdated ? (this.#tryRead(name)?.all(accepts) ?? UNKNOWN) : UNKNOWN;
  }

  override atHand(
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    if (this.isUpdated) return this.all(name, accepts);
    if (this.#needsUpdate) return UNKNOWN;
    try {
      const { file, summaries } = this.#read(name);
      return file === null ? UNKNOWN : summaries.all(accepts);
    } catch {
      return UNKNOWN; // `load` throws the error again.
    }
  }

  override exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    if (this.#needsUpdate) return UNKNOWN;
    const summaries = this.#tryRead(name);
    return summaries?.exact(version) ?? (summaries !== null && this.isUpdated ? ABSENT : UNKNOWN);
  }

  override rejected(name: string): readonly RejectedVersion[] {
    return this.isUpdated ? (this.#tryRead(name)?.rejected ?? []) : [];
  }

  async load(names: readonly string[]): Promise<void> {
    await this.#context.cache.hold(async (home) => {
      // A caller that loads a name did not find it in the index of the last fetch.
      await this.#update(home);
      for (const name of names) this.#read(name);
      await this.store();
    });
  }

  override async store(): Promise<void> {
    const unwritten = new Map(this.#unwritten);
    this.#unwritten.clear();
    if (unwritten.size > 0) await this.#context.cache.hold((home) => this.#index.writeCache(home, unwritten));
  }

  override async yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    await this.load(ids.map(({ name }) => name));
    return super.yankedAmong(ids);
  }

  async config(): Promise<IndexConfig> {
    if (this.#needsUpdate || this.#index.readConfig() === null) {
      await this.#context.cache.hold((home) => this.#update(home));
    }
    return this.#readConfig();
  }

  async current(name: string): Promise<readonly Summary[]> {
    const byName = await this.currentOf([name]);
    return present(byName.get(name), 'a requested package');
  }

  async currentOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Summary[]>> {
    const isQuiet = this.isUpdated;
    await this.#context.cache.hold((home) => this.#fetchIndex(home, { isQuiet }));
    await this.load(names);
    return new Map(names.map((name) => [name, this.#read(name).summaries.all()]));
  }

  isDownloaded(name: string, version: Version): boolean {
    return this.#crates.has({ name, version });
  }

  async fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]> {
    try {
      // Look up every package in the current index, even if it was found before the update.
      for (const { id } of summaries) this.#tryRead(id.name);
      await this.store();
      return await fetchPackages(summaries, { ...this.#fetchOptions(), ...listener });
    } finally {
      this.#crates.forget();
    }
  }

  similarNames(name: string): Promise<readonly string[]> {
    return similarIndexNames(name, async (other) => {
      await this.load([other]);
      return this.#entries(other);
    });
  }

  #entries(name: string): readonly IndexEntry[] {
    const { original, actual } = this;
    const { sources } = this.#context;
    return decodeIndexFile(this.#read(name).file, { from: { original, actual }, sources });
  }

  #fetchOptions(): FetchOptions {
    return {
      source: this,
      context: this.#context,
      downloads: () => this.#access.downloads,
      isConfigured: () => this.#index.readConfig() !== null,
      isStored: (...file) => this.#crates.isIn(...file),
      configure: async () => {
        await this.#readConfig();
      },
      locate: (crate) => this.#locate(crate),
    };
  }

  async #locate({ id, checksum }: { id: PackageId; checksum: string }): Promise<CrateDownload> {
    const config = await this.#readConfig();
    const token = config.authRequired ? await this.#access.credentials.indexToken(this.actual, []) : null;
    const url = downloadUrl(config.dl, { name: id.name, version: id.version.text, checksum });
    return { id, url, authorization: token === null ? null : authorizationOf(token.expose()) };
  }

  async #readConfig(): Promise<IndexConfig> {
    const { cache } = this.#context;
    if (this.#index.readConfig() === null) await cache.hold((home) => this.#update(home));
    const config = this.#index.readConfig();
    if (config === null) throw new TsregError('config.json not found in registry', { code: 'source' });
    return config;
  }

  /** Fetches the index, once per operation. The lock must be held. */
  async #update(home: string): Promise<void> {
    if (!this.isUpdated) await this.#fetchIndex(home, { isQuiet: false });
  }

  /** Fetches the index, and reports it unless `isQuiet`. The lock must be held. */
  async #fetchIndex(home: string, { isQuiet }: { readonly isQuiet: boolean }): Promise<void> {
    this.#countFetch();
    if (this.#context.offlineFlag === null) {
      // Downloads need these settings: report an error in them before the fetch.
      this.#access.assertConfigured();
      await this.#index.update(home, { isQuiet });
    }
    // Even without network, cargo creates the repository at the first lookup.
    else await this.#index.prepare(home);
    this.#countFetch();
  }

  #countFetch(): void {
    this.#context.cache.indexFetches.set(this.actual.key, this.#fetches + 1);
  }

  /** Like `#read`; null if the index cannot be read. */
  #tryRead(name: string): IndexSummaries | null {
    try {
      return this.#read(name).summaries;
    } catch {
      return null; // `load` throws the error again.
    }
  }

  /** Returns the current index data of a package. Decodes it again only if its file changed. */
  #read(name: string): ReadPackage {
    const cached = this.#byName.get(name);
    if (cached?.fetches === this.#fetches) return cached;
    const file = this.#index.find(name);
    const { original, actual } = this;
    const summaries =
      cached !== undefined && cached.file?.revision === file?.revision
        ? cached.summaries
        : new IndexSummaries(file, {
            name,
            from: { original, actual },
            sources: this.#context.sources,
          });
    const current = { file, summaries, fetches: this.#fetches };
    this.#byName.set(name, current);
    // Before an update, a missing file may still appear.
    if (file === null ? this.isUpdated : !file.isCached) this.#unwritten.set(name, file);
    return current;
  }
}

/** One package's index file and its decoded versions. */
interface ReadPackage {
  readonly file: IndexFile | null;
  readonly summaries: IndexSummaries;
  /** The state of `indexFetches` when it was read. */
  readonly fetches: number;
}
