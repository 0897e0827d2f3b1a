/** Packages that a lock file or a previous resolution locks. Cargo Book: Cargo.toml vs Cargo.lock. */
import { makePackageId, type PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Summary } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Locks, PinnedPackage, Previous } from './problem.ts';

/** Inputs that determine which previous packages stay locked. */
export interface PreviousContext {
  readonly members: readonly Summary[];
  /** Returns the package in the folder of a path source; null if none can be loaded. */
  pathPackage(source: SourceId): Summary | null;
  /** Keys of packages that `selectPatches` or `cargo update` unlocked. */
  readonly avoid: ReadonlySet<string>;
  readonly sources: SourceTable;
}

/** The locks without a previous resolution. */
export const NO_LOCKS: Locks = { pinned: new Map(), preferred: new Set() };

/**
 * Decides which packages of a previous resolution stay locked. If no previous package matches a dependency of a member
 * or path package, everything from that dependency's source is unlocked, with all its dependencies. Unlocked packages
 * are still preferred, except those in `avoid`.
 */
export function lockPrevious(previous: Previous, context: PreviousContext): Locks {
  const { packages } = previous;
  /** By index of the package: 1 if it is unlocked. */
  const unlocked = new Uint8Array(packages.length);
  /** Unlocks a package and everything that it leads to. */
  const unlock = (from: number): void => {
    const stack = [from];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (unlocked[next] === 1) continue;
      unlocked[next] = 1;
      for (const to of previous.edges[next] ?? []) stack.push(to);
    }
  };
  for (const [index, id] of packages.entries()) if (context.avoid.has(id.key)) unlock(index);
  for (const source of changedSources(previous, context)) {
    for (const [index, id] of packages.entries()) if (id.source.unpinnedKey === source) unlock(index);
  }
  // A path package with another version than before is unlocked alone, without its dependencies.
  for (const [index, id] of packages.entries()) {
    if (id.source.kind !== 'path') continue;
    const current = context.pathPackage(id.source);
    if (current !== null && current.id.key !== id.key) unlocked[index] = 1;
  }
  return {
    pinned: pin(previous, (index) => unlocked[index] === 0, context.sources),
    preferred: new Set(packages.filter(({ key }) => !context.avoid.has(key)).map(({ key }) => key)),
  };
}

/** Returns the keys of sources of dependencies that no previous package matches. */
function changedSources(previous: Previous, context: PreviousContext): ReadonlySet<string> {
  const byName = new Map<string, PackageId[]>();
  for (const id of previous.packages) {
    const same = byName.get(id.name);
    if (same === undefined) byName.set(id.name, [id]);
    else same.push(id);
  }
  const changed = new Set<string>();
  const memberKeys = new Set(context.members.map(({ id }) => id.key));
  const visited = new Set<string>();
  const stack = [...context.members];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (visited.has(next.id.key)) continue;
    visited.add(next.id.key);
    const isMember = memberKeys.has(next.id.key);
    for (const { name, req, source, optional, kind } of next.dependencies) {
      // The lock file need not have such dependencies of packages that are not members.
      if (!isMember && (optional || kind === 'dev')) continue;
      const pathPackage = source.kind === 'path' ? context.pathPackage(source) : null;
      if (pathPackage !== null) stack.push(pathPackage);
      else if (byName.get(name)?.some((id) => matchesReq(req, id.version)) !== true) {
        changed.add(source.unpinnedKey);
      }
    }
  }
  return changed;
}

/** Returns the packages of `previous` that stay locked, each with those of its dependencies that do. */
function pin(
  previous: Previous,
  isLocked: (index: number) => boolean,
  sources: SourceTable,
): Locks['pinned'] {
  const pinned = new Map<string, Map<string, PinnedPackage[]>>();
  const add = (entry: PinnedPackage): void => {
    const { source, name } = entry.id;
    let names = pinned.get(source.unpinnedKey);
    if (names === undefined) {
      names = new Map();
      pinned.set(source.unpinnedKey, names);
    }
    const same = names.get(name);
    if (same === undefined) names.set(name, [entry]);
    else same.push(entry);
  };
  for (const [index, id] of previous.packages.entries()) {
    if (!isLocked(index)) continue;
    const dependencies: PackageId[] = [];
    for (const to of previous.edges[index] ?? []) {
      const dependency = previous.packages[to];
      if (dependency !== undefined && isLocked(to)) dependencies.push(dependency);
    }
    const alias = previous.mergesMasterBranch ? withMasterBranch(id, sources) : null;
    if (alias !== null) add({ id: alias, dependencies });
    add({ id, dependencies });
  }
  return pinned;
}

/**
 * Returns the ID that a git package of an old lock file has in a manifest with `branch = "master"`; null for all
 * others.
 */
export function withMasterBranch(
  { name, version, source }: PackageId,
  sources: SourceTable,
): PackageId | null {
  if (source.reference?.kind !== 'default') return null;
  const master = sources.intern({ ...source, reference: { kind: 'branch', name: 'master' } });
  return makePackageId(name, version, master);
}
