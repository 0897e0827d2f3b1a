import type { Summary } from '../summary/summary.ts';
import type { Problem } from './problem.ts';
import type { Resolution, ResolvedPackage } from './resolution.ts';

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

/** False for a package that leads to two of one name: a requirement that both match is locked to the first of them. */
function leavesNoChoice({ edges }: ResolvedPackage, packages: readonly ResolvedPackage[]): boolean {
  let last: string | undefined;
  for (const { to } of edges) {
    const name = packages[to]?.id.name;
    if (name === last) return false;
    last = name;
  }
  return true;
}
