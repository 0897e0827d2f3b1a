/** Brings the synchronous resolver and the asynchronous sources together. */
import { TsregError } from '../errors/error.ts';
import { closure, crawl } from '../resolve/closure.ts';
import { explain } from '../resolve/explain.ts';
import type { Failure } from '../resolve/failure.ts';
import type { Problem, Want } from '../resolve/problem.ts';
import type { Resolution } from '../resolve/resolution.ts';
import { solve } from '../resolve/solve.ts';
import type { PackageCatalog } from '../sources/catalog.ts';

/** A resolution, and how it was found. */
export interface SolvedProblem {
  readonly resolution: Resolution;
  /** True if the lock file left no choice: nothing but the locked packages themselves led to it. */
  readonly isForced: boolean;
}

/**
 * Solves a problem over a catalog, loading what it lacks. `offlineFlag` is the flag that forbids the
 * network, for messages. Throws with cargo's explanation where there is no solution.
 */
export async function resolveProblem(
  problem: Problem,
  catalog: PackageCatalog,
  offlineFlag: string | null,
): Promise<SolvedProblem> {
  const { table } = catalog;
  const locked = closure(problem, table);
  if (locked !== null) return { resolution: locked, isForced: true };
  await loadWhileAsked(catalog, () => crawl(problem, table));
  for (;;) {
    const outcome = solve(problem, table);
    if (outcome.kind === 'done') return { resolution: outcome.resolution, isForced: false };
    if (outcome.kind === 'failed') throw await explainFailure(outcome.failure, catalog, offlineFlag);
    await catalog.load(outcome.wants);
  }
}

/** Loads what `ask` wants until it wants nothing more. What cannot be loaded is left for whoever needs it to meet. */
async function loadWhileAsked(catalog: PackageCatalog, ask: () => readonly Want[]): Promise<void> {
  try {
    for (let wants = ask(); wants.length > 0; wants = ask()) await catalog.load(wants);
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
  }
}

async function explainFailure(
  failure: Failure,
  catalog: PackageCatalog,
  offlineFlag: string | null,
): Promise<Error> {
  if (failure.kind === 'worded') return failure.error;
  const source = catalog.sourceOf(failure.source);
  const similarNames = failure.wantsSimilarNames ? await source.similarNames(failure.dependency.name) : [];
  return explain(failure, {
    location: source.description,
    isReplaced: catalog.isReplaced(failure.source),
    similarNames,
    offlineFlag,
  });
}
