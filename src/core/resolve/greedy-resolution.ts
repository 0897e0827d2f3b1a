/** Greedy resolution: every dependency gets its best candidate. */
import type { SourceId } from '../package-id/source-id.ts';
import { Candidates } from './candidates.ts';
import { resolutionOf } from './resolve-from-lock.ts';
import { hasOverrides, type Problem, type QueryObserver, type SummaryTable } from './problem.ts';
import type { Resolution } from './resolution.ts';
import { DirectActivation } from './direct-activation.ts';

/**
 * Resolves without network, starting from a lock file, by giving each dependency its best candidate. Returns null if
 * these cannot all be active together, or if the problem is of another kind. Otherwise the result is that of the
 * search, which would take each of them and never backtrack. `observer` receives the same calls as from the search.
 */
export function resolveGreedily(
  problem: Problem,
  table: SummaryTable,
  observer: QueryObserver | null,
): Resolution | null {
  const { roots, locks, offline, precise = [] } = problem;
  if (hasOverrides(problem) || !offline || precise.length > 0 || locks.preferred.size === 0) return null;
  const candidates = new Candidates(problem, table, observer);
  const members = new Set(roots.map(({ summary }) => summary));
  /** The sources of members, and those that got an unlocked query from one. */
  const queried = new Set<SourceId>(roots.map(({ summary }) => summary.id.source));
  const walk = new DirectActivation(candidates, (dependency, { summary }) => {
    const { source, locked } = dependency;
    // The search also starts with the members, in this order. After them, its order may decide how it queries a source.
    if (!members.has(summary)) return queried.has(source) ? candidates.best(dependency) : null;
    if (locked === null || source.kind === 'path') queried.add(source);
    return candidates.best(dependency);
  });
  return resolutionOf(walk);
}
