/** Checks of a package graph. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { describePath, type PathStep } from './describe-path.ts';
import type { LockedDependency } from './locked-dependency.ts';

/** The part of `ResolvedPackage` that the checks read. */
interface CheckedPackage {
  readonly id: PackageId;
  readonly replacement: number | null;
}

/** The part of `LockedEdge` that the checks read. */
interface CheckedEdge {
  readonly to: number;
  readonly dependencies: readonly LockedDependency[];
}

/**
 * Returns cargo's error about the first cycle without dev-dependencies; null if there is none. `edges` are by package.
 */
export function findCycle(
  packages: readonly CheckedPackage[],
  edges: readonly (readonly CheckedEdge[])[],
): TsregError | null {
  const search = new CycleSearch(packages, edges);
  for (const start of packages.keys()) {
    const closingIndex = search.findFrom(start);
    if (closingIndex === null) continue;
    const steps = search.cycleSteps(closingIndex);
    return new TsregError(
      `cyclic package dependency: package \`${describePackage(steps[0].id)}\` depends on itself. Cycle:\n${describePath(steps)}`,
      { code: 'resolve' },
    );
  }
  return null;
}

/** Searches a graph depth first, visiting every package once. */
class CycleSearch {
  readonly #packages: readonly CheckedPackage[];
  readonly #edges: readonly (readonly CheckedEdge[])[];
  /** By index of the package: 1 if it was visited. */
  readonly #checked: Uint8Array;
  /** By index of the package: 1 if it is on the current path. */
  readonly #onPath: Uint8Array;
  /** The current path: each package with its targets, and the index of the next one in `targets`. */
  #path: { readonly package: number; readonly targets: readonly number[]; next: number }[] = [];

  constructor(packages: readonly CheckedPackage[], edges: readonly (readonly CheckedEdge[])[]) {
    this.#packages = packages;
    this.#edges = edges;
    this.#checked = new Uint8Array(packages.length);
    this.#onPath = new Uint8Array(packages.length);
  }

  /** Returns the package at which a cycle closes; null if there is none in unvisited packages below `start`. */
  findFrom(start: number): number | null {
    this.#path = [];
    if (this.#checked[start] === 0) this.#enter(start);
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      const target = last.targets[last.next];
      last.next += 1;
      if (target === undefined) {
        this.#onPath[last.package] = 0;
        this.#path.pop();
      } else if (this.#onPath[target] === 1) return target;
      else if (this.#checked[target] === 0) this.#enter(target);
    }
    return null;
  }

  /**
   * Returns the cycle that `findFrom` found, from the package `closingIndex` back along its dependents. Like cargo,
   * continues to the start of the search, even if the cycle does not contain it.
   */
  cycleSteps(closingIndex: number): readonly [PathStep, ...PathStep[]] {
    const steps: [PathStep, ...PathStep[]] = [{ id: this.#package(closingIndex).id, dependency: null }];
    let child = closingIndex;
    for (const { package: parent } of this.#path.toReversed()) {
      const edge = this.#edgesOf(parent).find(
        ({ to, dependencies }) =>
          (to === child || this.#package(to).replacement === child) && dependencies.some(isTransitive),
      );
      const dependency = edge?.dependencies.find(isTransitive) ?? null;
      steps.push({ id: this.#package(parent).id, dependency });
      child = parent;
    }
    return steps;
  }

  /** Extends the path by a package. */
  #enter(index: number): void {
    this.#checked[index] = 1;
    this.#onPath[index] = 1;
    this.#path.push({ package: index, targets: this.#targetsOf(index), next: 0 });
  }

  /** Returns the packages that a package depends on, without dev-dependencies. With `[replace]`, both of them. */
  #targetsOf(index: number): readonly number[] {
    const targets: number[] = [];
    for (const { to, dependencies } of this.#edgesOf(index)) {
      if (!dependencies.some(isTransitive)) continue;
      targets.push(to);
      const { replacement } = this.#package(to);
      if (replacement !== null) targets.push(replacement);
    }
    return targets;
  }

  #package(index: number): CheckedPackage {
    return present(this.#packages[index], 'a package of the graph');
  }

  #edgesOf(index: number): readonly CheckedEdge[] {
    return present(this.#edges[index], 'the list of edges of a package');
  }
}

/**
 * Returns an error about two packages that a lock file cannot distinguish; null if there are none. Expects sorted IDs.
 */
export function findCollision(ids: readonly PackageId[]): TsregError | null {
  for (const [index, id] of ids.entries()) {
    // IDs are sorted by name and version, so packages that may collide are adjacent.
    for (let previous = index - 1; previous >= 0; previous--) {
      const other = present(ids[previous], 'a package of the graph');
      if (other.name !== id.name || other.version.text !== id.version.text) break;
      if (id.source.kind !== 'path' || other.source.kind !== 'path') continue;
      return new TsregError(
        `package collision in the lockfile: packages ${describePackage(other)} and ${describePackage(id)} are different, but only one can be written to lockfile unambiguously`,
        { code: 'resolve' },
      );
    }
  }
  return null;
}

/** Returns true if the dependency also counts for packages that depend on its package. */
function isTransitive({ declared }: LockedDependency): boolean {
  return declared.kind !== 'dev';
}
