/** Combines all sources of an operation: finds packages and puts them on disk. */
import { TsregError, withContext, withContextAsync } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { describePackage, displaySource } from '../../core/package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import { joinPath, parentFolder } from '../../core/files/path.ts';
import { isRegistry, type SourceId, sourcePath } from '../../core/package-id/source-id.ts';
import {
  type ABSENT,
  type QueryObserver,
  type Catalog,
  type RejectedVersion,
  type RequiredSummary,
  type SummaryTable,
  UNKNOWN,
  type MissingSummary,
} from '../../core/resolve/problem.ts';
import type { FoundPackage } from '../../core/resolve/explain.ts';
import type { Report } from '../../core/report/report.ts';
import { reportSnippets } from '../../core/report/report-snippets.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import { fetchFromSources, missing } from './fetch-from-sources.ts';
import type { FolderPackages } from './folder-packages.ts';
import { FolderSource } from './folder-source.ts';
import { makeSource } from './make-source.ts';
import { loadPackage } from './load-package.ts';
import { findPackages } from './package-walk.ts';
import type { RegistryOverlay } from './overlay-source.ts';
import { readPathOverrides } from './path-overrides.ts';
import { RegistryAccess } from './registry-access.ts';
import {
  isCaching,
  isDated,
  isOffline,
  isRemoteRegistry,
  isRoundwise,
  isYanking,
  type RoundwiseSource,
  type YankingSource,
} from './remote-source.ts';
import { isReplaced, withReplaced, withReplacedAsync } from './replacement-context.ts';
import type { FetchedPackage, FetchListener, PackageSource } from './source.ts';
import type { SourceContext } from './source-context.ts';
import { SourceReplacement } from './source-replacement.ts';
import { yankedAmong } from './yanked-packages.ts';

/** A catalog with the operations on sources that are not part of resolving. */
export interface PackageCatalog extends Catalog, QueryObserver {
  /**
   * Runs a search under the lock on the package cache, so that sources can read from disk at once. `nextRound` loads
   * what it asks for. `expected` are packages that it will probably ask for: prefetches their index files.
   */
  whileSearching<T>(body: () => Promise<T>, expected?: Iterable<PackageId>): Promise<T>;
  /** Loads the missing summaries that the search waits for, otherwise all. Rejects if a source cannot be read. */
  nextRound(): Promise<void>;
  /** Returns the source of `source`'s packages. Throws with cargo's message if there can be none. */
  sourceOf(source: SourceId): PackageSource;
  /**
   * Makes a source query its origin at its next use, at the commit that `source` names, if any. From then on `sourceOf`
   * returns that source for every commit. Throws if there can be no such source.
   */
  refresh(source: SourceId): void;
  /** Makes a source query its origin at its next use, even for versions in a lock file. */
  invalidate(source: SourceId): void;
  /** Returns true if another source replaces this one. */
  isReplaced(source: SourceId): boolean;
  /** Returns the packages in the folder of a path source and below it; empty if they cannot be read. */
  packagesBelow(source: SourceId): readonly FoundPackage[];
  /**
   * Puts packages on disk and returns their places in the order of `summaries`. Fetches them by id, which is the order
   * of cargo's status lines, or in the given order if `asGiven` is true. For `onUnpacked`, see `FetchListener`.
   */
  fetchPackages(
    summaries: readonly Summary[],
    options?: { readonly asGiven?: boolean } & Pick<FetchListener, 'onUnpacked'>,
  ): Promise<readonly FetchedPackage[]>;
  /**
   * Returns the packages in the folders of the `paths` configuration, by name; the first one of a name counts. Throws
   * with cargo's error chain. Cargo Book: Overriding Dependencies, "paths overrides".
   */
  readPathOverrides(): ReadonlyMap<string, Summary>;
  /** Returns the manifest of a fetched package. Throws with cargo's error chain. */
  manifestOf(fetched: FetchedPackage): PackageManifest;
  /**
   * Queries all registries again and returns those of `ids` that are yanked, in the order of cargo's warnings. `ids`
   * must be sorted. Call it after all other queries.
   */
  yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]>;
  /**
   * Returns a catalog for another resolution of the same operation. It queries every registry again, but reuses
   * connections and tokens. `overlay` is put over one of the registries. `report` replaces the operation's own.
   */
  again(overlay: RegistryOverlay | null, report?: Report): PackageCatalog;
}

/**
 * Makes the catalog of an operation. Reads the `[source]` tables, and throws if they are invalid. `earlier` is the
 * catalog of another workspace in the same operation: reuses its connections and tokens, but queries the registries
 * again.
 */
export function createCatalog(context: SourceContext, earlier: PackageCatalog | null = null): PackageCatalog {
  return SourceCatalog.make(context, earlier);
}

class SourceCatalog implements PackageCatalog, SummaryTable {
  readonly table: SummaryTable = this;
  readonly #context: SourceContext;
  readonly #access: RegistryAccess;
  readonly #replacement: SourceReplacement;
  readonly #overlay: RegistryOverlay | null;
  /** By key of the original source. */
  readonly #byKey = new Map<string, PackageSource>();
  /** Git sources that follow a reference, by key without the commit. They also serve pinned sources. */
  readonly #unpinned = new Map<string, PackageSource>();
  /** Sources queried without a lock file before their update: they must query their origin before they load. */
  readonly #queriedUnlocked = new Set<PackageSource>();
  /** Last query of each source, by key without the commit: a commit, `locked`, or null without a lock file. */
  readonly #begunQueries = new Map<string, string | null>();
  /** Missing summaries that the search asked for, and whether it waits for them. */
  #asked: (RequiredSummary & { readonly isAwaited: boolean })[] = [];
  /** Errors of sources that failed to load. Another attempt rethrows the error. */
  readonly #failures = new Map<PackageSource, unknown>();

  static make(context: SourceContext, earlier: PackageCatalog | null): SourceCatalog {
    if (!(earlier instanceof SourceCatalog)) return new SourceCatalog(context);
    return new SourceCatalog(context, { access: earlier.#access, replacement: null, overlay: null });
  }

  constructor(context: SourceContext, further: FurtherCatalog | null = null) {
    this.#context = context;
    this.#access = new RegistryAccess(context, further?.access);
    this.#replacement = further?.replacement ?? new SourceReplacement(context.config, context.sources);
    this.#overlay = further?.overlay ?? null;
    for (const { unpinnedKey } of context.preloaded ?? []) this.#begunQueries.set(unpinnedKey, null);
  }

  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    return this.#tryOpen(source)?.exact(name, version) ?? UNKNOWN;
  }

  all(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    const found = this.#tryOpen(source);
    if (found === null) return UNKNOWN;
    if (!isRemoteRegistry(found) || found.isUpdated) return found.all(name, accepts);
    this.#queriedUnlocked.add(found);
    return UNKNOWN;
  }

  atHand(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    const found = this.#tryOpen(source);
    if (found === null) return UNKNOWN;
    return isDated(found) && !found.isUpdated ? found.atHand(name, accepts) : found.all(name, accepts);
  }

  downloaded(
    source: SourceId,
    name: string,
    accepts: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    const found = this.#tryOpen(source);
    return found !== null && isOffline(found) ? found.downloaded(name, accepts) : UNKNOWN;
  }

  rejected(source: SourceId, name: string): readonly RejectedVersion[] {
    return this.#tryOpen(source)?.rejected(name) ?? [];
  }

  isDownloaded(source: SourceId, name: string, version: Version): boolean {
    return this.#tryOpen(source)?.isDownloaded(name, version) ?? false;
  }

  beginQuery(source: SourceId, isLocked: boolean): void {
    const precise = source.precise ?? (isLocked && isRegistry(source) ? 'locked' : null);
    const before = this.#begunQueries.get(source.unpinnedKey);
    if (before === null || before === precise) return;
    this.#begunQueries.set(source.unpinnedKey, precise);
    // Data that is good enough for locked versions may be too old for other queries.
    if (precise === null) this.#tryOpen(source)?.invalidate();
  }

  ask(want: RequiredSummary, isLocked: boolean): boolean {
    const found = this.#tryOpen(want.source);
    if (found !== null && isRoundwise(found)) {
      // The lock file is newer than the cached index: query the origin.
      if (isLocked && !found.isUpdated && found.knows(want.name)) found.expire();
      const isAwaited = !found.announce();
      this.#asked.push({ ...want, isAwaited });
      return isAwaited;
    }
    this.#asked.push({ ...want, isAwaited: true });
    return true;
  }

  whileSearching<T>(body: () => Promise<T>, expected: Iterable<PackageId> = []): Promise<T> {
    return this.#context.cache.hold(async () => {
      this.#expect(expected);
      try {
        return await body();
      } finally {
        for (const source of this.#byKey.values()) {
          if (isRoundwise(source)) source.unexpect();
          if (isCaching(source)) await source.store();
        }
      }
    });
  }

  async nextRound(): Promise<void> {
    // Load first what the search waits for. Other index files stay pending until the search can go no further.
    const isWaiting = this.#asked.some(({ isAwaited }) => isAwaited);
    const asked = this.#asked.filter(({ isAwaited }) => isAwaited === isWaiting);
    this.#asked = isWaiting ? this.#asked.filter(({ isAwaited }) => !isAwaited) : [];
    await this.#load(asked, (source, names) =>
      isRoundwise(source) ? source.request(names) : source.load(names),
    );
  }

  /**
   * Loads source by source, in the order of first use, which is the order of cargo's status lines. Sparse registries
   * load in the background.
   */
  async load(missingSummaries: readonly (MissingSummary | RequiredSummary)[]): Promise<void> {
    for (const { source } of missingSummaries) {
      if (source.kind === 'git') this.#begunQueries.set(source.unpinnedKey, source.precise);
    }
    // Take the lock here once, so that no source waits for it while a later one reports.
    await this.#context.cache.hold(() =>
      this.#load(missingSummaries, (source, names) => {
        if (this.#queriedUnlocked.delete(source)) {
          source.invalidate();
          this.#begunQueries.set(source.original.unpinnedKey, null);
        }
        return source.load(names);
      }),
    );
  }

  sourceOf(source: SourceId): PackageSource {
    const known = this.#unpinned.get(source.unpinnedKey) ?? this.#byKey.get(source.key);
    if (known !== undefined) return known;
    const made = makeSource(source, this.#replacement.actualOf(source), {
      context: this.#context,
      access: this.#access,
      overlay: this.#overlay,
    });
    this.#byKey.set(source.key, made);
    if (source.kind === 'git' && source.precise === null) this.#unpinned.set(source.unpinnedKey, made);
    return made;
  }

  refresh(source: SourceId): void {
    const { unpinnedKey } = source;
    if (this.#begunQueries.get(unpinnedKey) === null) return;
    this.#begunQueries.set(unpinnedKey, null);
    withContext(
      () => `unable to update ${displaySource(source)}`,
      () => {
        const found = this.sourceOf(source);
        if (source.kind === 'git') this.#unpinned.set(unpinnedKey, found);
        found.invalidate();
      },
    );
  }

  invalidate(source: SourceId): void {
    this.#begunQueries.set(source.unpinnedKey, null);
    this.#tryOpen(source)?.invalidate();
  }

  isReplaced(source: SourceId): boolean {
    return isReplaced(this.sourceOf(source));
  }

  packagesBelow(source: SourceId): readonly FoundPackage[] {
    const folder = sourcePath(source);
    if (source.kind !== 'path' || folder === null || this.#context.files.kind(folder) !== 'directory')
      return [];
    try {
      const packages = findPackages(folder, source, this.#context);
      return packages.names.flatMap((name) =>
        packages.summaries(name).flatMap(({ id }) => {
          const path = packages.manifest(id)?.path;
          return path === undefined ? [] : [{ name, folder: parentFolder(path) }];
        }),
      );
    } catch (error) {
      if (!(error instanceof TsregError)) throw error;
      reportSnippets(error, this.#context.report);
      return [];
    }
  }

  async fetchPackages(
    summaries: readonly Summary[],
    { asGiven = false, ...listener }: { readonly asGiven?: boolean } & Pick<FetchListener, 'onUnpacked'> = {},
  ): Promise<readonly FetchedPackage[]> {
    // cargo reads the `[http]` settings even if nothing has to be downloaded.
    this.#context.config.http();
    const sorted = asGiven ? summaries : summaries.toSorted((a, b) => comparePackageIds(a.id, b.id));
    const found = await fetchFromSources(sorted, (source) => this.sourceOf(source), listener);
    this.#access.finishDownloads();
    return summaries.map(({ id }) => found.get(id.key) ?? missing(id));
  }

  readPathOverrides(): ReadonlyMap<string, Summary> {
    const own = new Set(this.#context.preloaded?.map(({ key }) => key));
    const overrides = new Map<string, Summary>();
    for (const { folder, source, packages } of readPathOverrides(this.#context)) {
      // In the folder of a preloaded package, cargo finds only that package.
      const only = own.has(source.key) ? joinPath(folder, 'Cargo.toml') : null;
      if (only === null) {
        const read = (): FolderPackages => packages;
        this.#byKey.set(source.key, new FolderSource({ original: source, actual: source, read }));
      }
      for (const name of packages.names) {
        const [summary] = packages.summaries(name);
        if (summary === undefined || overrides.has(name)) continue;
        if (only === null || packages.manifest(summary.id)?.path === only) overrides.set(name, summary);
      }
    }
    return overrides;
  }

  manifestOf(fetched: FetchedPackage): PackageManifest {
    if (fetched.manifest !== undefined) return fetched.manifest;
    const { id, root } = fetched;
    const load = (): PackageManifest =>
      withReplaced('download', this.sourceOf(id.source), () => {
        const manifest = loadPackage(root, id.source, this.#context.load);
        if (manifest.summary.id.key === id.key) return manifest;
        throw new TsregError(`failed to find ${describePackage(id)} in path source`, {
          code: 'source',
          isInternal: true,
        });
      });
    if (fetched.wasDownloaded === true) return load();
    return withContext(
      () => `failed to download \`${describePackage(id)}\``,
      () => withContext('unable to get packages from source', load),
    );
  }

  async yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    const bySource = new Map<YankingSource, PackageId[]>();
    for (const id of ids) {
      const source = this.sourceOf(id.source);
      if (!isYanking(source)) continue;
      const others = bySource.get(source);
      if (others === undefined) bySource.set(source, [id]);
      else others.push(id);
    }
    if (bySource.size === 0) return [];
    return this.#context.cache.hold(() => yankedAmong(bySource));
  }

  again(overlay: RegistryOverlay | null, report = this.#context.report): PackageCatalog {
    return new SourceCatalog(
      { ...this.#context, report },
      {
        access: this.#access,
        replacement: this.#replacement,
        overlay,
      },
    );
  }

  #expect(ids: Iterable<PackageId>): void {
    const names = new Map<RoundwiseSource, string[]>();
    for (const { source, name } of ids) {
      const found = isRegistry(source) ? this.#tryOpen(source) : null;
      if (found === null || !isRoundwise(found)) continue;
      const others = names.get(found);
      if (others === undefined) names.set(found, [name]);
      else others.push(name);
    }
    for (const [source, expected] of names) source.expect(expected);
  }

  #tryOpen(source: SourceId): PackageSource | null {
    try {
      return this.sourceOf(source);
    } catch {
      return null; // `load` throws the error again.
    }
  }

  async #load(
    missingSummaries: readonly (MissingSummary | RequiredSummary)[],
    from: LoadFrom,
  ): Promise<void> {
    const inBackground: Promise<void>[] = [];
    try {
      for (const group of groupBySource(missingSummaries)) {
        const loading = this.#loadGroup(group, from);
        if (this.#tryOpen(group[0].source)?.actual.kind === 'sparse-registry') {
          // The rejection is handled below, in order.
          loading.catch(() => {});
          inBackground.push(loading);
        } else await loading;
      }
    } finally {
      await Promise.allSettled(inBackground);
    }
    for (const loading of inBackground) await loading;
  }

  async #loadGroup([first, ...others]: SourceMissing, from: LoadFrom): Promise<void> {
    const { source, name } = first;
    const whileLoading = <T>(body: () => Promise<T>): Promise<T> =>
      withContextAsync(`failed to load source for dependency \`${name}\``, () =>
        withContextAsync(
          () => `unable to update ${displaySource(this.#tryOpen(source)?.original ?? source)}`,
          body,
        ),
      );
    const load = async (): Promise<void> => {
      const found = await whileLoading(() => Promise.resolve().then(() => this.sourceOf(source)));
      const names = [first, ...others].map((want) => want.name);
      const ask = (): Promise<void> => this.#tryOnce(found, () => from(found, names));
      await whileLoading(() => withReplacedAsync('query', found, ask));
    };
    if (!('requiredBy' in first)) return load();
    await withContextAsync(`failed to get \`${name}\` as a dependency of ${first.requiredBy}`, load);
  }

  async #tryOnce(source: PackageSource, body: () => Promise<void>): Promise<void> {
    if (this.#failures.has(source)) throw this.#failures.get(source);
    try {
      await body();
    } catch (error) {
      this.#failures.set(source, error);
      throw error;
    }
  }
}

/** The parts that a catalog takes over from an earlier one. */
interface FurtherCatalog {
  readonly access: RegistryAccess;
  /** Null if the `[source]` tables must be read again. */
  readonly replacement: SourceReplacement | null;
  readonly overlay: RegistryOverlay | null;
}

/** Loads packages called `names` from a source. */
type LoadFrom = (source: PackageSource, names: readonly string[]) => Promise<void>;

type SourceMissing = readonly [MissingSummary | RequiredSummary, ...(MissingSummary | RequiredSummary)[]];

function groupBySource(
  missingSummaries: readonly (MissingSummary | RequiredSummary)[],
): Iterable<SourceMissing> {
  const groups = new Map<
    string,
    [MissingSummary | RequiredSummary, ...(MissingSummary | RequiredSummary)[]]
  >();
  for (const want of missingSummaries) {
    const group = groups.get(want.source.key);
    if (group === undefined) groups.set(want.source.key, [want]);
    else group.push(want);
  }
  return groups.values();
}
