/** What a graph of packages must not have. */
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { describePath, type PathStep } from './describe-path.ts';
import type { LockedDependency } from './locked-dependency.ts';

/** A package of the graph, as far as cycles go. */
interface CheckedPackage {
  readonly id: PackageId;
  readonly replacement: number | null;
}

/** An edge of the graph. */
interface CheckedEdge {
  readonly to: number;
  readonly dependencies: readonly LockedDependency[];
}

/** The error of a cycle of dependencies other than dev-dependencies; null if there is none. */
export function findCycle(
  packages: readonly CheckedPackage[],
  edges: readonly (readonly CheckedEdge[])[],
): TsregError | null {
  const checked = new Uint8Array(packages.length);
  const onPath = new Uint8Array(packages.length);
  const path: number[] = [];

  /** The package at which a cycle closes; -1 if there is none below `at`. */
  const visit = (at: number): number => {
    if (onPath[at] === 1) return at;
    onPath[at] = 1;
    if (checked[at] === 0) {
      checked[at] = 1;
      path.push(at);
      for (const { to, dependencies } of edges[at] ?? []) {
        if (!dependencies.some(isTransitive)) continue;
        const closing = visit(to);
        if (closing >= 0) return closing;
        const replacement = packages[to]?.replacement ?? -1;
        const replacementCloses = replacement < 0 ? -1 : visit(replacement);
        if (replacementCloses >= 0) return replacementCloses;
      }
      path.pop();
    }
    onPath[at] = 0;
    return -1;
  };

  for (const at of packages.keys()) {
    if (checked[at] === 1) continue;
    const closing = visit(at);
    if (closing < 0) continue;
    const steps: PathStep[] = [];
    const idOf = (index: number): PackageId | undefined => packages[index]?.id;
    const first = idOf(closing);
    if (first === undefined) continue;
    steps.push({ id: first, dependency: null });
    let child = closing;
    for (const parent of path.toReversed()) {
      const id = idOf(parent);
      const edge = edges[parent]?.find(
        ({ to, dependencies }) =>
          (to === child || packages[to]?.replacement === child) && dependencies.some(isTransitive),
      );
      if (id !== undefined) steps.push({ id, dependency: edge?.dependencies.find(isTransitive) ?? null });
      child = parent;
    }
    return new TsregError(
      `cyclic package dependency: package \`${describePackage(first)}\` depends on itself. Cycle:\n${describePath(steps)}`,
      { code: 'resolve' },
    );
  }
  return null;
}

/** The error of two packages that a lock file cannot tell apart; null if there are none. */
export function findCollision(ids: readonly PackageId[]): TsregError | null {
  for (const [index, id] of ids.entries()) {
    // Ids are sorted by name and version: packages that may collide are neighbours.
    for (let before = index - 1; before >= 0; before--) {
      const other = ids[before];
      if (other === undefined || other.name !== id.name || other.version.text !== id.version.text) break;
      if (id.source.kind !== 'path' || other.source.kind !== 'path') continue;
      return new TsregError(
        `package collision in the lockfile: packages ${describePackage(other)} and ${describePackage(id)} are different, but only one can be written to lockfile unambiguously`,
        { code: 'resolve' },
      );
    }
  }
  return null;
}

function isTransitive({ declared }: LockedDependency): boolean {
  return declared.kind !== 'dev';
}
