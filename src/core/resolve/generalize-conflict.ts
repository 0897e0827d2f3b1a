/** Conflicts from known conflicts, as in cargo's `generalize_conflicting`. */
import { comparePackageIds } from '../package-id/package-id.ts';
import type { Candidates } from './candidates.ts';
import { isMissing } from './problem.ts';
import { sortedNodes, type ConflictCache, type ConflictMap, type ConflictReason } from './conflict-cache.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node, Nodes } from './node.ts';
import type { State } from './state.ts';

/** A dependency that cannot be satisfied, and the reason. */
export interface FailedDependency {
  readonly parent: Node;
  readonly dependency: LockedDependency;
  readonly conflict: ConflictMap;
}

/** The state of the search, and the conflicts that it found. */
export interface Knowledge {
  readonly state: State;
  readonly nodes: Nodes;
  readonly candidates: Candidates;
  readonly conflicts: ConflictCache;
}

/** The package of a conflict that became active last, and the reason that the conflict has for it. */
interface Critical {
  readonly node: Node;
  readonly age: number;
  readonly reason: ConflictReason;
}

/**
 * Looks for a conflict that lets the search backtrack further. Stores and returns it; returns null if there is none.
 *
 * The critical package is the youngest of the conflict. A dependency is equivalent to its candidates. So if all
 * candidates of a dependency that led to the critical package are known to conflict, the result has the parent with
 * that dependency in place of these candidates.
 */
export function generalizeConflict(failed: FailedDependency, knowledge: Knowledge): ConflictMap | null {
  const { parent, dependency, conflict } = failed;
  const { state, conflicts } = knowledge;
  const critical = youngest(conflict, state);
  if (critical === null || descendsFrom(parent, critical.node, state)) return null;
  const edges = state
    .parentsOf(critical.node)
    .filter((edge) => (state.ageOf(edge.parent) ?? critical.age) < critical.age)
    .sort((a, b) => comparePackageIds(a.parent.id, b.parent.id));
  for (const edge of edges) {
    for (const leadingDependency of edge.dependencies) {
      const others = conflictsOfCandidates(leadingDependency, dependency, { critical, knowledge });
      if (others === null) continue;
      // All conflicts together, without the candidates, which the parent replaces.
      const general = new Map(conflict);
      for (const other of others) for (const [node, reason] of other.conflict) general.set(node, reason);
      for (const { node } of others) general.delete(node);
      general.set(edge.parent, critical.reason);
      conflicts.insert(dependency, general);
      return general;
    }
  }
  return null;
}

/**
 * Returns a known conflict of `dependency` with each candidate of `leadingDependency`, as if that were active in place
 * of the critical package; null if none is known for one of them.
 */
function conflictsOfCandidates(
  leadingDependency: LockedDependency,
  dependency: LockedDependency,
  { critical, knowledge }: { readonly critical: Critical; readonly knowledge: Knowledge },
): readonly { readonly node: Node; readonly conflict: ConflictMap }[] | null {
  const { state, nodes, candidates, conflicts } = knowledge;
  const summaries = candidates.query(leadingDependency);
  if (isMissing(summaries)) return null;
  const others: { node: Node; conflict: ConflictMap }[] = [];
  // The last candidate is the least likely to have a known conflict.
  for (const summary of summaries.toReversed()) {
    const candidate = nodes.of(summary);
    // The candidate would be as old as the critical package.
    const ageOf = (node: Node): number | null => (node === candidate ? critical.age : state.ageOf(node));
    const conflict = conflicts.find(dependency, ageOf, { required: candidate, maxAge: critical.age });
    if (conflict === null) return null;
    others.push({ node: candidate, conflict });
  }
  return others;
}

/** Returns the youngest package of a conflict; null if one of its packages is not active. */
function youngest(conflict: ConflictMap, state: State): Critical | null {
  let critical: Critical | null = null;
  for (const node of sortedNodes(conflict)) {
    const age = state.ageOf(node);
    const reason = conflict.get(node);
    if (age === null || reason === undefined) return null;
    if (critical === null || age >= critical.age) critical = { node, age, reason };
  }
  return critical;
}

/** Returns true if a path of dependencies leads from `ancestor` to `node`. */
function descendsFrom(node: Node, ancestor: Node, state: State): boolean {
  const seen = new Set([node]);
  for (const next of seen) {
    for (const { parent } of state.parentsOf(next)) {
      if (parent === ancestor) return true;
      seen.add(parent);
    }
  }
  return false;
}
