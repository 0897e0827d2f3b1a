/** The resolution from a lock file, without a search. */
import { isSameSource } from '../package-id/source-id.ts';
import { Candidates } from './candidates.ts';
import { finishResolution } from './finish-resolution.ts';
import type { Node } from './node.ts';
import { isMissing, type Problem, type SummaryTable } from './problem.ts';
import type { Resolution } from './resolution.ts';
import { DirectActivation } from './direct-activation.ts';

/**
 * Resolves a problem in which the lock file leaves no choice: every active dependency is locked to one existing
 * version, and nothing conflicts. Returns null if a search is needed. A result is always equal to that of `solve`.
 */
export function resolveFromLock(problem: Problem, table: SummaryTable): Resolution | null {
  // Only `solve` applies `[replace]` and `paths`.
  if (problem.replacements.length > 0 || problem.overrides.size > 0) return null;
  const candidates = new Candidates(problem, table);
  const walk = new DirectActivation(candidates, (dependency) => {
    const summaries = dependency.locked === null ? [] : candidates.query(dependency);
    return isMissing(summaries) || summaries.length !== 1 ? null : (summaries[0] ?? null);
  });
  return resolutionOf(walk);
}

/** Returns the resolution of a new walk; null if it fails or its packages cannot all be active together. */
export function resolutionOf(walk: DirectActivation): Resolution | null {
  if (!walk.run() || !canBeActiveTogether(walk)) return null;
  const outcome = finishResolution(walk, walk.nodes, walk.candidates);
  return outcome.kind === 'done' ? outcome.resolution : null;
}

/** Returns true if no two packages share a slot or a native library. */
function canBeActiveTogether(walk: DirectActivation): boolean {
  const hasPatches = walk.candidates.problem.patches.bySource.size > 0;
  const slots = new Map<number, Node>();
  const links = new Map<number, Node>();
  /** Puts a package in a place. Returns false if another one has it. */
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
