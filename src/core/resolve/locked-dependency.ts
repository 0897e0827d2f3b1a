/** Dependencies with the versions to which a lock file locks them. Cargo Book: Cargo.toml vs Cargo.lock. */
import type { PackageId } from '../package-id/package-id.ts';
import { isRegistry, isSameSource, type SourceId } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import type { Locks, Patches, PinnedPackage } from './problem.ts';

/** A dependency with its locked version. */
export interface LockedDependency {
  readonly declared: Dependency;
  /** The source of `declared`, at the locked commit. */
  readonly source: SourceId;
  /** The only version allowed, including build metadata; null if the requirement decides. */
  readonly locked: Version | null;
  /**
   * True if the requirement decides and the dependency is in the index of its owner. An index on disk that is recent
   * enough for the owner is so for the dependency too.
   */
  readonly isOfOwnIndex: boolean;
}

/** The package that has a dependency. */
export interface DependencyOwner {
  readonly id: PackageId;
  /** The result of `findPinned` for it. */
  readonly pinned: PinnedPackage | undefined;
}

/** Returns the pinned package `id`; undefined if the lock file does not pin it. */
export function findPinned(id: PackageId, locks: Locks): PinnedPackage | undefined {
  return locks.pinned
    .get(id.source.unpinnedKey)
    ?.get(id.name)
    ?.find((pinned) => pinned.id.key === id.key);
}

/** The locks and patches that decide how a dependency is locked. */
export interface LockRules {
  readonly locks: Locks;
  readonly patches: Patches;
}

/** Locks a dependency of the package `owner` according to the lock file. */
export function lockDependency(declared: Dependency, owner: PackageId, rules: LockRules): LockedDependency {
  return lockFor(declared, { id: owner, pinned: findPinned(owner, rules.locks) }, rules);
}

/**
 * Does the same as `lockDependency`, for an owner whose pinned package is known. Prefers the package that the lock file
 * lists as a dependency of the owner; otherwise takes any pinned package that the requirement accepts.
 */
export function lockFor(
  declared: Dependency,
  { id: ownerId, pinned }: DependencyOwner,
  { locks, patches }: LockRules,
): LockedDependency {
  const { name, req, source } = declared;
  const isPatch = ({ key }: PackageId): boolean =>
    patches.bySource.get(source.canonicalUrl)?.available.some((patch) => patch.key === key) ?? false;
  const listed = pinned?.dependencies.find(
    (id) =>
      id.name === name && matchesReq(req, id.version) && (isSameSource(source, id.source) || isPatch(id)),
  );
  if (listed !== undefined) {
    const lockedSource = isSameSource(source, listed.source) ? listed.source : source;
    return { declared, source: lockedSource, locked: listed.version, isOfOwnIndex: false };
  }
  const accepted = locks.pinned
    .get(source.unpinnedKey)
    ?.get(name)
    ?.find(({ id }) => matchesReq(req, id.version))?.id;
  if (accepted !== undefined) {
    return { declared, source: accepted.source, locked: accepted.version, isOfOwnIndex: false };
  }
  const isOfOwnIndex = ownerId.source === source && isRegistry(source);
  return { declared, source, locked: null, isOfOwnIndex };
}
