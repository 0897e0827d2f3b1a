/** The resolution where every dependency can have what it would rather have than anything else. */
import type { SourceId } from '../package-id/source-id.ts';
import { Candidates } from './candidates.ts';
import { resolutionOf } from './closure.ts';
import type { Asking, Problem, SummaryTable } from './problem.ts';
import type { Resolution } from './resolution.ts';
import { Walk } from './walk.ts';

/**
 * The resolution of a problem without network, after a lock file, in which the best candidates of all dependencies can be
 * active together: in whatever order a search came to them, it would take each and never come back to one. Null wherever
 * it has to be made; the two never differ. `asking` hears what the search would tell it as well.
 */
export function bestTogether(
  problem: Problem,
  table: SummaryTable,
  asking: Asking | null,
): Resolution | null {
  const { roots, locks, offline, patches, replacements, overrides, precise = [] } = problem;
  const isPlain = patches.bySource.size === 0 && replacements.length === 0 && overrides.size === 0;
  if (!isPlain || !offline || precise.length > 0 || locks.preferred.size === 0) return null;
  const candidates = new Candidates(problem, table, asking);
  const members = new Set(roots.map(({ summary }) => summary));
  const asked = new Set<SourceId>(roots.map(({ summary }) => summary.id.source));
  const walk = new Walk(candidates, (dependency, { summary }) => {
    const { source, locked } = dependency;
    // The search, too, comes to the members first, in this order. How a source is asked later may depend on its ways.
    if (!members.has(summary)) return asked.has(source) ? candidates.best(dependency) : null;
    if (locked === null || source.kind === 'path') asked.add(source);
    return candidates.best(dependency);
  });
  return resolutionOf(walk);
}
