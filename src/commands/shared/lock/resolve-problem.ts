/** Connects the synchronous resolver with the asynchronous sources. */
import { inputRecorder } from '../../../io/disk/input-recorder.ts';
import { resolveGreedily } from '../../../core/resolve/greedy-resolution.ts';
import { resolveFromLock } from '../../../core/resolve/resolve-from-lock.ts';
import { explain } from '../../../core/resolve/explain.ts';
import type { Failure } from '../../../core/resolve/failure.ts';
import type { PackageId } from '../../../core/package-id/package-id.ts';
import type { Report } from '../../../core/report/report.ts';
import type { QueryObserver, Locks, Problem } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import { Search } from '../../../core/resolve/solve.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';

/** A resolution, and how it was found. */
export interface SolvedProblem {
  readonly resolution: Resolution;
  /** True if the lock file left no choice: the locked packages alone determine the resolution. */
  readonly isForced: boolean;
  /** The solved problem. Its `rustVersions` are empty if the lock file left no choice. */
  readonly problem: Problem;
}

/** The options of `resolveProblem`. */
export interface ResolveProblemOptions {
  /** The flag that forbids the network, for messages; null if none does. */
  readonly offlineFlag: string | null;
  /** Receives the warnings about `paths` overrides. */
  readonly report: Pick<Report, 'warning'>;
  /** Called before a search, which blocks this thread. Concurrent work must start here. */
  readonly beforeSearch?: () => void;
  /**
   * Returns the versions of Rust to choose for. Called only if there is a choice, because it may start the compiler.
   */
  readonly rustVersions: () => Promise<Problem['rustVersions']>;
}

/**
 * Solves a problem, which `base` describes except for the versions of Rust, with a catalog. Loads missing summaries.
 * Throws cargo's explanation if there is no solution.
 */
export async function resolveProblem(
  base: Omit<Problem, 'rustVersions'>,
  catalog: PackageCatalog,
  { offlineFlag, report, beforeSearch, rustVersions }: ResolveProblemOptions,
): Promise<SolvedProblem> {
  const locked = resolveFromLock({ ...base, rustVersions: [] }, catalog.table);
  if (locked !== null) return { resolution: locked, isForced: true, problem: { ...base, rustVersions: [] } };
  if (base.publishAge !== null) inputRecorder()?.reject('the time has a say');
  const problem = { ...base, rustVersions: await rustVersions() };
  beforeSearch?.();
  const { table, loader } = catalog;
  return loader.whileSearching(async () => {
    const observer: QueryObserver = {
      beginQuery: (source, isLocked) => loader.beginQuery(source, isLocked),
      ask: (missing, isLocked) => loader.ask(missing, isLocked),
      warn: (text) => report.warning(text),
    };
    const greedy = resolveGreedily(problem, table, observer);
    if (greedy !== null) return { resolution: greedy, isForced: false, problem };
    const search = new Search(problem, table, observer);
    for (;;) {
      const outcome = search.run();
      if (outcome.kind === 'done') return { resolution: outcome.resolution, isForced: false, problem };
      if (outcome.kind === 'failed') throw await explainFailure(outcome.failure, catalog, offlineFlag);
      await loader.nextRound();
    }
  }, pinnedIds(problem.locks));
}

function* pinnedIds({ pinned }: Locks): Generator<PackageId> {
  for (const byName of pinned.values()) {
    for (const packages of byName.values()) for (const { id } of packages) yield id;
  }
}

/** Returns cargo's error for a problem without a solution. May query the registry for similar names. */
async function explainFailure(
  failure: Failure,
  catalog: PackageCatalog,
  offlineFlag: string | null,
): Promise<Error> {
  if (failure.kind === 'worded') return failure.error;
  const source = catalog.sourceOf(failure.source);
  let similarNames: readonly string[] = [];
  const isInFolder = failure.source.kind === 'path';
  if (failure.wantsSimilarNames && !isInFolder) {
    // Names that differ in `-` and `_` have their own files in a sparse index, so they need a query. The pending queries
    // of the search arrive with it. Their errors do not matter, because the search has already failed.
    const queriesRegistry = /[-_]/.test(failure.dependency.name) && source.actual.kind === 'sparse-registry';
    if (queriesRegistry) await catalog.loader.nextRound().catch(() => {});
    similarNames = await source.similarNames(failure.dependency.name);
  }
  return explain(failure, {
    location: source.description,
    isReplaced: source.isReplaced,
    similarNames,
    packagesBelow: failure.wantsSimilarNames && isInFolder ? catalog.packagesBelow(failure.source) : [],
    offlineFlag,
  });
}
