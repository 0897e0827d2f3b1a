/** The resolution where nothing has to be searched for, and what a search would first ask of the table. */
import { TsregError } from '../errors/error.ts';
import { isSameSource } from '../package-id/source-id.ts';
import { finishResolution } from './finish-resolution.ts';
import type { Node } from './node.ts';
import type { Problem, SummaryTable, RequiredWant } from './problem.ts';
import type { Resolution } from './resolution.ts';
import { Walk } from './walk.ts';

/**
 * The resolution of a problem in which the lock file leaves no choice: every active dependency is held to
 * one version that exists, and nothing conflicts. Null wherever `solve` must be asked; the two never differ.
 */
export function closure(problem: Problem, table: SummaryTable): Resolution | null {
  // What replaces packages by other rules than a lock is for `solve`.
  if (problem.replacements.length > 0 || problem.overrides.size > 0) return null;
  const walk = new Walk(problem, table, (dependency, candidates) =>
    dependency.locked !== null && candidates.length === 1 ? (candidates[0] ?? 'stop') : 'stop',
  );
  if (!walk.run() || walk.wants.size > 0 || !canBeActiveTogether(walk, problem.patches.bySource.size > 0))
    return null;
  const outcome = finishResolution(walk, walk.nodes, walk.candidates);
  return outcome.kind === 'done' ? outcome.resolution : null;
}

/**
 * What `solve` will likely ask for next: what the best candidates of all dependencies need, as far as the
 * table knows them. Empty when everything on that way is known.
 */
export function crawl(problem: Problem, table: SummaryTable): readonly RequiredWant[] {
  const walk = new Walk(problem, table, (_, [best]) => best ?? 'skip');
  try {
    walk.run();
  } catch (error) {
    // What is wrong with a replacement or an override is said by the search, which knows for whom it looks.
    if (!(error instanceof TsregError)) throw error;
  }
  return Array.from(walk.wants.values());
}

/** True if no two packages have one slot or one native library. */
function canBeActiveTogether(walk: Walk, hasPatches: boolean): boolean {
  const slots = new Map<number, Node>();
  const links = new Map<number, Node>();
  const occupy = (places: Map<number, Node>, place: number, node: Node): boolean => {
    const other = places.get(place);
    if (other === undefined) places.set(place, node);
    return other === undefined || other === node;
  };
  for (const node of walk.activeNodes()) {
    if (!occupy(slots, node.slot, node)) return false;
    if (node.link >= 0 && !occupy(links, node.link, node)) return false;
    if (!hasPatches) continue;
    const { name, version, source } = node.id;
    for (const { dependencies } of walk.parentsOf(node)) {
      for (const dependency of dependencies) {
        if (isSameSource(dependency.source, source)) continue;
        if (!occupy(slots, walk.nodes.slotOf(name, version, dependency.source), node)) return false;
      }
    }
  }
  return true;
}
