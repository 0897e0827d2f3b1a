/** The packages that a graph needs for some platforms. */
import { present } from '../errors/assert.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { Dependency } from '../summary/summary.ts';

/** Returns true if a declaration counts. */
export type DependencyFilter = (dependency: Dependency) => boolean;

/** Returns the sorted indexes of all packages that `members` reach through declarations that count. */
export function reachablePackages(
  resolution: Resolution,
  members: readonly number[],
  isActive: DependencyFilter,
): readonly number[] {
  return Array.from(visitPackages(resolution, members, isActive)).sort((a, b) => a - b);
}

/**
 * Yields the packages of `reachablePackages` in the order in which `fetch` visits them: from the last member and its
 * last dependency.
 */
export function* visitPackages(
  { packages }: Resolution,
  members: readonly number[],
  isActive: DependencyFilter,
): Generator<number> {
  const seen = new Uint8Array(packages.length);
  const stack = [...members];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen[next] === 1) continue;
    seen[next] = 1;
    yield next;
    for (const { to, dependencies } of present(packages[next], 'a package of the resolution').edges) {
      if (dependencies.some(isActive)) stack.push(packages[to]?.replacement ?? to);
    }
  }
}
