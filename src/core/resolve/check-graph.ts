/** Checks of a package graph. */
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { describePath, type PathStep } from './describe-path.ts';
import type { LockedDependency } from './locked-dependency.ts';

interface CheckedPackage {
  readonly id: PackageId;
  readonly replacement: number | null;
}

interface CheckedEdge {
  readonly to: number;
  readonly dependencies: readonly LockedDependency[];
}

/** Returns an error about a dependency cycle without dev-dependencies; null if there is none. */
export function findCycle(
  packages: readonly CheckedPackage[],
  edges: readonly (readonly CheckedEdge[])[],
): TsregError | null {
  const search = new CycleSearch(packages, edges);
  for (const at of packages.keys()) {
    const closing = search.from(at);
    if (closing < 0) continue;
    const steps: PathStep[] = [];
    const idOf = (index: number): PackageId | undefined => packages[index]?.id;
    const first = idOf(closing);
    if (first === undefined) continue;
    steps.push({ id: first, dependency: null });
    let child = closing;
    for (const parent of search.path().toReversed()) {
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

/** Searches a graph depth first, visiting every package once. */
class CycleSearch {
  readonly #packages: readonly CheckedPackage[];
  readonly #edges: readonly (readonly CheckedEdge[])[];
  readonly #checked: Uint8Array;
  readonly #onPath: Uint8Array;
  /** The current path: each package with its targets and the index of the next one. */
  #path: { readonly at: number; readonly targets: readonly number[]; next: number }[] = [];

  constructor(packages: readonly CheckedPackage[], edges: readonly (readonly CheckedEdge[])[]) {
    this.#packages = packages;
    this.#edges = edges;
    this.#checked = new Uint8Array(packages.length);
    this.#onPath = new Uint8Array(packages.length);
  }

  /** Returns the package at which a cycle closes; -1 if there is none in unvisited packages below `start`. */
  from(start: number): number {
    this.#path = [];
    if (this.#checked[start] === 0) this.#enter(start);
    for (let last = this.#path.at(-1); last !== undefined; last = this.#path.at(-1)) {
      const target = last.targets[last.next];
      last.next += 1;
      if (target === undefined) {
        this.#onPath[last.at] = 0;
        this.#path.pop();
      } else if (this.#onPath[target] === 1) return target;
      else if (this.#checked[target] === 0) this.#enter(target);
    }
    return -1;
  }

  /** Returns the path to the package whose dependency closes the cycle. */
  path(): readonly number[] {
    return this.#path.map(({ at }) => at);
  }

  #enter(at: number): void {
    this.#checked[at] = 1;
    this.#onPath[at] = 1;
    this.#path.push({ at, targets: this.#targetsOf(at), next: 0 });
  }

  #targetsOf(at: number): readonly number[] {
    const targets: number[] = [];
    for (const { to, dependencies } of this.#edges[at] ?? []) {
      if (!dependencies.some(isTransitive)) continue;
      targets.push(to);
      const replacement = this.#packages[to]?.replacement ?? null;
      if (replacement !== null) targets.push(replacement);
    }
    return targets;
  }
}

/**
 * Returns an error about two packages that a lock file cannot distinguish; null if there are none. Expects sorted IDs.
 */
export function findCollision(ids: readonly PackageId[]): TsregError | null {
  for (const [index, id] of ids.entries()) {
    // IDs are sorted by name and version, so packages that may collide are adjacent.
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
