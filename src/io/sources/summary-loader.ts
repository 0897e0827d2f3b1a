/** Loads the summaries that the resolver misses, and decides when sources query their origin. */
import { withContext, withContextAsync } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { isRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import type { MissingSummary, QueryObserver, RequiredSummary } from '../../core/resolve/problem.ts';
import { groupBy } from './group-by.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { OpenSources } from './open-sources.ts';
import { withReplacedAsync } from './replacement-context.ts';
import type { Source } from './source.ts';

/** The context of a loader. */
export interface SummaryLoaderOptions {
  readonly cache: PackageCache;
  /** As in `SourceContext`. */
  readonly preloaded?: readonly SourceId[];
}

/** Loads summaries into the sources of a catalog. Observes the queries of a search. */
export class SummaryLoader implements QueryObserver {
  readonly #sources: OpenSources;
  readonly #cache: PackageCache;
  /**
   * Last query of each source, by key without the commit: the commit of a git source, `locked` for a registry, or null
   * if no lock file pins the packages. After null, no query makes the source out of date.
   */
  readonly #begunQueries = new Map<string, string | null>();
  /** Missing summaries that `nextRound` has not loaded yet, and whether the search waits for them. */
  #pending: (RequiredSummary & { readonly isAwaited: boolean })[] = [];
  /** Errors of sources that failed to load. Another attempt rethrows the error. */
  readonly #failures = new Map<Source, unknown>();

  constructor(sources: OpenSources, { cache, preloaded = [] }: SummaryLoaderOptions) {
    this.#sources = sources;
    this.#cache = cache;
    for (const { unpinnedKey } of preloaded) this.#begunQueries.set(unpinnedKey, null);
  }

  /**
   * Loads source by source, in the order of first use, which is the order of cargo's status lines. Sparse registries
   * load in the background. Rejects if a source cannot be read.
   */
  async load(missingSummaries: readonly MissingSummary[]): Promise<void> {
    for (const { source } of missingSummaries) {
      if (source.kind === 'git') this.#begunQueries.set(source.unpinnedKey, source.precise);
    }
    // Take the lock here once, so that no source waits for it while a later one reports.
    await this.#cache.hold(() =>
      this.#load(missingSummaries, (source, names) => {
        if (this.#sources.outdated.delete(source)) {
          source.invalidate();
          this.#begunQueries.set(source.original.unpinnedKey, null);
        }
        return source.load(names);
      }),
    );
  }

  /**
   * Makes a source query its origin at its next use, at the commit that `source` names, if any. From then on that
   * source has the packages of every commit. Throws if there can be no such source.
   */
  refresh(source: SourceId): void {
    const { unpinnedKey } = source;
    if (this.#begunQueries.get(unpinnedKey) === null) return;
    this.#begunQueries.set(unpinnedKey, null);
    withContext(
      () => `unable to update ${displaySource(source)}`,
      () => this.#sources.unpin(source).invalidate(),
    );
  }

  /** Makes a source query its origin at its next use, even for versions in a lock file. */
  invalidate(source: SourceId): void {
    this.#begunQueries.set(source.unpinnedKey, null);
    this.#sources.tryOpen(source)?.invalidate();
  }

  /**
   * Runs a search under the lock on the package cache, so that sources can read from disk at once. `nextRound` loads
   * what it asks for. `expected` are packages that it will probably ask for: prefetches their index files.
   */
  whileSearching<T>(body: () => Promise<T>, expected: Iterable<PackageId> = []): Promise<T> {
    return this.#cache.hold(async () => {
      this.#prefetch(expected);
      try {
        return await body();
      } finally {
        for (const source of this.#sources.all()) {
          source.cancelPrefetch();
          await source.store();
        }
      }
    });
  }

  beginQuery(source: SourceId, isLocked: boolean): void {
    const precise = source.precise ?? (isLocked && isRegistry(source) ? 'locked' : null);
    const lastQuery = this.#begunQueries.get(source.unpinnedKey);
    if (lastQuery === null || lastQuery === precise) return;
    this.#begunQueries.set(source.unpinnedKey, precise);
    // Data that is good enough for locked versions may be too old for other queries.
    if (precise === null) this.#sources.tryOpen(source)?.invalidate();
  }

  ask(missing: RequiredSummary, isLocked: boolean): boolean {
    const isAwaited = this.#sources.tryOpen(missing.source)?.announce(missing.name, isLocked) !== true;
    this.#pending.push({ ...missing, isAwaited });
    return isAwaited;
  }

  /** Loads the missing summaries that the search waits for, otherwise all. Rejects if a source cannot be read. */
  async nextRound(): Promise<void> {
    // Load first what the search waits for. Other index files stay pending until the search can go no further.
    const isWaiting = this.#pending.some(({ isAwaited }) => isAwaited);
    const round = this.#pending.filter(({ isAwaited }) => isAwaited === isWaiting);
    this.#pending = this.#pending.filter(({ isAwaited }) => isAwaited !== isWaiting);
    await this.#load(round, (source, names) => source.request(names));
  }

  #prefetch(expected: Iterable<PackageId>): void {
    const ofRegistries = Array.from(expected).filter(({ source }) => isRegistry(source));
    const bySource = groupBy(ofRegistries, ({ source }) => this.#sources.tryOpen(source));
    for (const [source, packages] of bySource) source?.prefetch(packages.map(({ name }) => name));
  }

  /** Loads source by source. `loadNames` loads names from a source. */
  async #load(missingSummaries: readonly Missing[], loadNames: LoadNames): Promise<void> {
    const inBackground: Promise<void>[] = [];
    try {
      for (const group of groupBy(missingSummaries, ({ source }) => source.key).values()) {
        const loading = this.#loadGroup(group, loadNames);
        if (this.#sources.tryOpen(group[0].source)?.actual.kind === 'sparse-registry') {
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

  /** Loads missing summaries of one source. Errors name the first one. */
  async #loadGroup(group: readonly [Missing, ...Missing[]], loadNames: LoadNames): Promise<void> {
    const [first] = group;
    const { source, name } = first;
    const whileLoading = <T>(body: () => Promise<T>): Promise<T> =>
      withContextAsync(`failed to load source for dependency \`${name}\``, () =>
        withContextAsync(
          () => `unable to update ${displaySource(this.#sources.tryOpen(source)?.original ?? source)}`,
          body,
        ),
      );
    const load = async (): Promise<void> => {
      const opened = await whileLoading(() => Promise.resolve().then(() => this.#sources.open(source)));
      const names = group.map((missing) => missing.name);
      const query = (): Promise<void> => this.#tryOnce(opened, () => loadNames(opened, names));
      await whileLoading(() => withReplacedAsync('query', opened, query));
    };
    if (!('requiredBy' in first)) return load();
    await withContextAsync(`failed to get \`${name}\` as a dependency of ${first.requiredBy}`, load);
  }

  /** Runs `body`, unless loading from `source` failed before: then rethrows that error. */
  async #tryOnce(source: Source, body: () => Promise<void>): Promise<void> {
    if (this.#failures.has(source)) throw this.#failures.get(source);
    try {
      await body();
    } catch (error) {
      this.#failures.set(source, error);
      throw error;
    }
  }
}

/** A missing summary; one that a dependency requires also names its dependent. */
type Missing = MissingSummary | RequiredSummary;

/** Loads packages called `names` from a source. */
type LoadNames = (source: Source, names: readonly string[]) => Promise<void>;
