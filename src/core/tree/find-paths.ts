/** Paths through a resolved graph, from packages to one that they depend on. */
import { present } from '../errors/assert.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { Dependency } from '../summary/summary.ts';

/** A package on a path. */
export interface PathStep {
  /** Index into the packages of the resolution. */
  readonly package: number;
  /** The declarations that lead here from the step before; empty for the first step. */
  readonly dependencies: readonly Dependency[];
}

/** A path. No package is on it twice. */
export type DependencyPath = readonly PathStep[];

/** The end of a path that is not complete, and the steps before it. */
interface PartialPath {
  readonly step: PathStep;
  readonly before: PartialPath | null;
  /** The number of steps. */
  readonly length: number;
}

/** Finds the paths to one package. */
export class PathFinder {
  readonly #target: number;
  /** The edges of each package. */
  readonly #edges: readonly (readonly PathStep[])[];
  /** The number of steps from each package that leads to the target. */
  readonly #distances: ReadonlyMap<number, number>;

  /** `target` is an index into the packages. Paths follow only declarations for which `isActive` returns true. */
  constructor({ packages }: Resolution, target: number, isActive: (dependency: Dependency) => boolean) {
    this.#target = target;
    this.#edges = packages.map(({ edges }) =>
      edges.flatMap(({ to, dependencies }) => {
        const active = dependencies.filter(isActive);
        const index = packages[to]?.replacement ?? to;
        return active.length === 0 ? [] : { package: index, dependencies: active };
      }),
    );
    this.#distances = distancesTo(target, this.#edges);
  }

  /** Yields the paths that begin at one of the packages `starts`, the shortest first. */
  *from(starts: readonly number[]): Generator<DependencyPath> {
    /** Partial paths by the length of the shortest path that begins with them. */
    const queues: PartialPath[][] = [];
    /** Queues a path, unless it does not lead to the target or goes through a package twice. */
    const add = (step: PathStep, before: PartialPath | null): void => {
      const rest = this.#distances.get(step.package);
      if (rest === undefined || isOn(before, step.package)) return;
      const length = (before?.length ?? 0) + 1;
      (queues[length + rest] ??= []).push({ step, before, length });
    };
    for (const start of starts.toReversed()) add({ package: start, dependencies: [] }, null);
    for (let total = 0; total < queues.length; total += 1) {
      for (let path = queues[total]?.pop(); path !== undefined; path = queues[total]?.pop()) {
        if (path.step.package === this.#target) {
          yield stepsOf(path);
          continue;
        }
        const edges = present(this.#edges[path.step.package], 'the edges of a package');
        // The last one that is added is the first to be followed.
        for (const edge of edges.toReversed()) add(edge, path);
      }
    }
  }
}

/** Returns the number of steps to `target` from every package that leads there. */
function distancesTo(target: number, edges: readonly (readonly PathStep[])[]): ReadonlyMap<number, number> {
  const dependents = edges.map((): number[] => []);
  for (const [from, steps] of edges.entries()) {
    for (const { package: to } of steps) present(dependents[to], 'the dependents of a package').push(from);
  }
  const distances = new Map([[target, 0]]);
  // The loop also visits the packages that it adds.
  for (const [index, distance] of distances) {
    for (const from of present(dependents[index], 'the dependents of a package')) {
      if (!distances.has(from)) distances.set(from, distance + 1);
    }
  }
  return distances;
}

function isOn(path: PartialPath | null, index: number): boolean {
  for (let part = path; part !== null; part = part.before) if (part.step.package === index) return true;
  return false;
}

function stepsOf(path: PartialPath): DependencyPath {
  const steps: PathStep[] = [];
  for (let part: PartialPath | null = path; part !== null; part = part.before) steps.push(part.step);
  return steps.reverse();
}
