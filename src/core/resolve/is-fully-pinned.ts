/** The check whether the lock pass's resolution can be used for the graph pass too. */
import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import { hasOverrides, type Problem } from './problem.ts';
import type { Resolution, ResolvedEdge, ResolvedPackage } from './resolution.ts';

/** The part of a problem that determines the graph if a lock file pins every package. */
export type PinnedProblem = Pick<Problem, 'roots' | 'patches' | 'replacements' | 'overrides'>;

/**
 * Returns true if the resolution of all features of `members`, which the lock file has, also solves the given problem:
 * it requests the same from them, and locked dependencies leave no choice.
 */
export function isFullyPinned(
  problem: PinnedProblem,
  members: readonly Summary[],
  { packages }: Resolution,
): boolean {
  const { roots } = problem;
  return (
    !hasOverrides(problem) &&
    roots.length === members.length &&
    roots.every(
      ({ summary, requested }, index) =>
        summary === members[index] && summary.features.size === 0 && requested.features.length === 0,
    ) &&
    packages.every((locked) => locked.id.source.kind !== 'git' && leavesNoChoice(locked, packages))
  );
}

/** Returns false if a requirement matches two dependencies of a package: it is locked to the first of them. */
function leavesNoChoice({ edges }: ResolvedPackage, packages: readonly ResolvedPackage[]): boolean {
  return edges.every((edge, index) => {
    const name = packages[edge.to]?.id.name;
    // Dependencies of the same name are adjacent.
    for (const other of edges.slice(index + 1)) {
      if (packages[other.to]?.id.name !== name) return true;
      if (accepts(edge, other, packages) || accepts(other, edge, packages)) return false;
    }
    return true;
  });
}

/** Returns true if the other package satisfies one of the requirements of the edge. */
function accepts(
  { dependencies }: ResolvedEdge,
  { to }: ResolvedEdge,
  packages: readonly ResolvedPackage[],
): boolean {
  const version = packages[to]?.id.version;
  return version === undefined || dependencies.some(({ req }) => matchesReq(req, version));
}
