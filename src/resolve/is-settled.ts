import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Problem } from './problem.ts';
import type { Resolution, ResolvedEdge, ResolvedPackage } from './resolution.ts';

/** What decides whether a graph has to be resolved, beside the lock file. */
export type GraphQuestion = Pick<Problem, 'roots' | 'patches' | 'replacements' | 'overrides'>;

/**
 * True if the resolution of everything that `members` could need, which is what a lock file holds, is that of `question`
 * too: nothing is asked of them that they do not do anyhow, and with each dependency locked no choice is left.
 */
export function isSettled(
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

/** False for a package with a requirement that two of its dependencies match: it is locked to the first of them. */
function leavesNoChoice({ edges }: ResolvedPackage, packages: readonly ResolvedPackage[]): boolean {
  return edges.every((edge, at) => {
    const name = packages[edge.to]?.id.name;
    // Those of one name stand beside each other.
    for (let next = at + 1; ; next += 1) {
      const other = edges[next];
      if (other === undefined || packages[other.to]?.id.name !== name) return true;
      if (accepts(edge, other, packages) || accepts(other, edge, packages)) return false;
    }
  });
}

/** True if one of the requirements that led to a package is met by the other one as well. */
function accepts(
  { dependencies }: ResolvedEdge,
  { to }: ResolvedEdge,
  packages: readonly ResolvedPackage[],
): boolean {
  const version = packages[to]?.id.version;
  return version === undefined || dependencies.some(({ req }) => matchesReq(req, version));
}
