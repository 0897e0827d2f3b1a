/** The packages of a lock file that an update unlocks. Cargo Book: cargo update. */
import { present } from '../errors/assert.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import { isRegistry, isSameSource } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import type { Previous } from './problem.ts';

/** The packages to update. */
export interface UpdateScope {
  /** Packages of the lock file, including unused patches; null for all. */
  readonly named: readonly PackageId[] | null;
  /** True if their dependencies are updated too. */
  readonly isRecursive: boolean;
  readonly members: readonly Summary[];
}

/**
 * Returns the keys of the packages to unlock. Packages from the same repository or folder are unlocked together.
 * Members stay locked, so that their dependencies change as little as possible.
 */
export function packagesToUnlock(previous: Previous, scope: UpdateScope): ReadonlySet<string> {
  const { named, isRecursive, members } = scope;
  const all = [...previous.packages, ...previous.unusedPatches];
  const isMember = ({ name, source }: PackageId): boolean =>
    members.some(({ id }) => id.name === name && isSameSource(id.source, source));
  let updated = all;
  if (named !== null) {
    const requested = isRecursive ? withDependencies(named, previous) : named;
    updated = requested.filter((id) => !isMember(id));
  }
  const keys = new Set(updated.map(({ key }) => key));
  const sources = new Set(
    updated.filter(({ source }) => !isRegistry(source)).map(({ source }) => source.unpinnedKey),
  );
  const unlocked = all.filter(({ key, source }) => keys.has(key) || sources.has(source.unpinnedKey));
  return new Set(unlocked.map(({ key }) => key));
}

/** Returns the packages `named` and everything that they lead to, sorted. */
function withDependencies(named: readonly PackageId[], { packages, edges }: Previous): readonly PackageId[] {
  const indexes = new Map(packages.map(({ key }, index) => [key, index]));
  const reached = new Map<string, PackageId>();
  const stack = [...named];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (reached.has(id.key)) continue;
    reached.set(id.key, id);
    const index = indexes.get(id.key);
    // An unused patch is not in the graph.
    if (index === undefined) continue;
    for (const to of present(edges[index], 'the list of edges of a package')) {
      stack.push(present(packages[to], 'a package of the lock file'));
    }
  }
  return Array.from(reached.values()).sort(comparePackageIds);
}
