/** Loads the summaries that the resolver misses, and decides when sources query their origin. */
import { withContext, withContextAsync } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { isRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import type { MissingSummary, QueryObserver, RequiredSummary } from '../../core/resolve/problem.ts';
import type { OpenSources } from './open-sources.ts';
import { withReplacedAsync } from './replacement-context.ts';
import type { Source } from './source.ts';
import type { SourceContext } from './source-context.ts';

/** Loads summaries into the sources of a catalog. Observes the queries of a search. */
export class SummaryLoader implements QueryObserver {
  readonly #sources: OpenSources;
  readonly #cache: SourceContext['cache'];
  /** Last query of each source, by key without the commit: a commit, `locked`, or null without a lock file. */
  readonly #begunQueries = new Map<string, string | null>();
  /** Missing summaries that the search asked for, and whether it waits for them. */
  #asked: (RequiredSummary & { readonly isAwaited: boolean })[] = [];
  /** Errors of sources that failed to load. Another attempt rethrows the error. */
  readonly #failures = new Map<Source, unknown>();

  constructor(sources: OpenSources, { cache, preloaded = [] }: Pick<SourceContext, 'cache' | 'preloaded'>) {
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
    const before = this.#begunQueries.get(source.unpinnedKey);
    if (before === null || before === precise) return;
    this.#begunQueries.set(source.unpinnedKey, precise);
    // Data that is good enough for locked versions may be too old for other queries.
    if (precise === null) this.#sources.tryOpen(source)?.invalidate();
  }

  ask(missing: RequiredSummary, isLocked: boolean): boolean {
    const isAwaited = this.#sources.tryOpen(missing.source)?.announce(missing.name, isLocked) !== true;
    this.#asked.push({ ...missing, isAwaited });
    return isAwaited;
  }

  /** Loads the missing summaries that the search waits for, otherwise all. Rejects if a source cannot be read. */
  async nextRound(): Promise<void> {
    // Load first what the search waits for. Other index files stay pending until the search can go no further.
    const isWaiting = this.#asked.some(({ isAwaited }) => isAwaited);
    const asked = this.#asked.filter(({ isAwaited }) => isAwaited === isWaiting);
    this.#asked = isWaiting ? this.#asked.filter(({ isAwaited }) => !isAwaited) : [];
    await this.#load(asked, (source, names) => source.request(names));
  }

  #prefetch(expected: Iterable<PackageId>): void {
    const names = new Map<Source, string[]>();
    for (const { source, name } of expected) {
      const found = isRegistry(source) ? this.#sources.tryOpen(source) : null;
      if (found === null) continue;
      const others = names.get(found);
      if (others === undefined) names.set(found, [name]);
      else others.push(name);
    }
    for (const [source, ofSource] of names) source.prefetch(ofSource);
  }

  async #load(missingSummaries: readonly Missing[], from: LoadFrom): Promise<void> {
    const inBackground: Promise<void>[] = [];
    try {
      for (const group of groupBySource(missingSummaries)) {
        const loading = this.#loadGroup(group, from);
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

  async #loadGroup([first, ...others]: SourceMissing, from: LoadFrom): Promise<void> {
    const { source, name } = first;
    const whileLoading = <T>(body: () => Promise<T>): Promise<T> =>
      withContextAsync(`failed to load source for dependency \`${name}\``, () =>
        withContextAsync(
          () => `unable to update ${displaySource(this.#sources.tryOpen(source)?.original ?? source)}`,
          body,
        ),
      );
    const load = async (): Promise<void> => {
      const found = await whileLoading(() => Promise.resolve().then(() => this.#sources.open(source)));
      const names = [first, ...others].map((missing) => missing.name);
      const ask = (): Promise<void> => this.#tryOnce(found, () => from(found, names));
      await whileLoading(() => withReplacedAsync('query', found, ask));
    };
    if (!('requiredBy' in first)) return load();
    await withContextAsync(`failed to get \`${name}\` as a dependency of ${first.requiredBy}`, load);
  }

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

type Missing = MissingSummary | RequiredSummary;

/** The missing summaries of one source. */
type SourceMissing = readonly [Missing, ...Missing[]];

/** Loads packages called `names` from a source. */
type LoadFrom = (source: Source, names: readonly string[]) => Promise<void>;

function groupBySource(missingSummaries: readonly Missing[]): Iterable<SourceMissing> {
  const groups = new Map<string, [Missing, ...Missing[]]>();
  for (const missing of missingSummaries) {
    const group = groups.get(missing.source.key);
    if (group === undefined) groups.set(missing.source.key, [missing]);
    else group.push(missing);
  }
  return groups.values();
}
