import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Problem } from './problem.ts';
import type { Resolution, ResolvedEdge, ResolvedPackage } from './resolution.ts';

/** The problem that determines a graph, without the lock file. */
export type GraphQuestion = Pick<Problem, 'roots' | 'patches' | 'replacements' | 'overrides'>;

/**
 * Returns true if the resolution of all features of `members`, which the lock file has, also solves the given problem:
 * it requests the same from them, and locked dependencies leave no choice.
 */
export function isFullyPinned(
  { roots, patches, replacements, overrides }: GraphQuestion,
  members: readonly Summary[],
  { packages }: Resolution,
): boolean {
  return (
    patches.bySource.size === 0 &&
    replacements.length === 0 &&
    overrides.size === 0 &&
    roots.length === members.length &&
    roots.every(
      ({ summary, requested }, index) =>
        summary === members[index] && summary.features.size === 0 && requested.features.length === 0,
    ) &&
    packages.every((each) => each.id.source.kind !== 'git' && leavesNoChoice(each, packages))
  );
}

/** Returns false if a requirement matches two dependencies of a package: it is locked to the first of them. */
function leavesNoChoice({ edges }: ResolvedPackage, packages: readonly ResolvedPackage[]): boolean {
  return edges.every((edge, at) => {
    const name = packages[edge.to]?.id.name;
    // Dependencies of the same name are adjacent.
    for (let next = at + 1; ; next += 1) {
      const other = edges[next];
      if (other === undefined || packages[other.to]?.id.name !== name) return true;
      if (accepts(edge, other, packages) || accepts(other, edge, packages)) return false;
    }
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
