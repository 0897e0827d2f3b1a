/** The check whether the lock pass's resolution can be used for the graph pass too. */
import { present } from '../errors/assert.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import { hasOverrides, type Overrides, type Root } from './problem.ts';
import type { Resolution, ResolvedEdge, ResolvedPackage } from './resolution.ts';

/** The part of a problem that determines the graph if a lock file pins every package. */
export interface PinnedProblem extends Overrides {
  readonly roots: readonly Root[];
}

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

/**
 * Returns false if a requirement of a package matches two of its dependencies. The graph pass would lock it to the
 * first of them, whatever the lock pass has chosen.
 */
function leavesNoChoice({ edges }: ResolvedPackage, packages: readonly ResolvedPackage[]): boolean {
  return edges.every((edge, index) => {
    const { name } = targetOf(edge, packages);
    // Dependencies of the same name are adjacent.
    for (const other of edges.slice(index + 1)) {
      if (targetOf(other, packages).name !== name) return true;
      if (accepts(edge, other, packages) || accepts(other, edge, packages)) return false;
    }
    return true;
  });
}

/** Returns true if the other package satisfies one of the requirements of the edge. */
function accepts(
  { dependencies }: ResolvedEdge,
  other: ResolvedEdge,
  packages: readonly ResolvedPackage[],
): boolean {
  const { version } = targetOf(other, packages);
  return dependencies.some(({ req }) => matchesReq(req, version));
}

function targetOf({ to }: ResolvedEdge, packages: readonly ResolvedPackage[]): PackageId {
  return present(packages[to], 'a package of the resolution').id;
}
