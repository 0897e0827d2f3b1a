import type { PackageId } from '../package-id/package-id.ts';
import { isRegistry, isSameSource, type SourceId } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import type { Locks, Patches, PinnedPackage } from './problem.ts';

/** A dependency and what the lock file holds it to. */
export interface LockedDependency {
  readonly declared: Dependency;
  /** The source of `declared`, at the commit that the lock file pins. */
  readonly source: SourceId;
  /** The one version to be used, build metadata included; null if the requirement decides. */
  readonly locked: Version | null;
  /**
   * True if the requirement decides, and the dependency is in the index that its owner was read from: what that has on
   * disk will do as long as it does for the owner.
   */
  readonly isOfOwnIndex: boolean;
}

/** Who has a dependency. */
export interface DependencyOwner {
  readonly id: PackageId;
  /** What `findPinned` has of it. */
  readonly pinned: PinnedPackage | undefined;
}

/** The pinned package that is `id`; undefined if the lock file does not pin it. */
export function findPinned(id: PackageId, locks: Locks): PinnedPackage | undefined {
  return locks.pinned
    .get(id.source.unpinnedKey)
    ?.get(id.name)
    ?.find((pinned) => pinned.id.key === id.key);
}

/** Holds a dependency of the package `owner` to what the lock file says of it. */
export function lockDependency(
  declared: Dependency,
  owner: PackageId,
  locks: Locks,
  patches: Patches,
): LockedDependency {
  return lockFor(declared, { id: owner, pinned: findPinned(owner, locks) }, locks, patches);
}

/** As `lockDependency`, for an owner whose pinned form was looked up before. */
export function lockFor(
  declared: Dependency,
  { id: ownerId, pinned }: DependencyOwner,
  locks: Locks,
  patches: Patches,
): LockedDependency {
  const { name, req, source } = declared;
  const isPatch = ({ key }: PackageId): boolean =>
    patches.bySource.get(source.canonicalUrl)?.available.some((patch) => patch.key === key) ?? false;
  const own = pinned?.dependencies.find(
    (id) =>
      id.name === name && matchesReq(req, id.version) && (isSameSource(source, id.source) || isPatch(id)),
  );
  if (own !== undefined)
    return held(declared, isSameSource(source, own.source) ? own.source : source, own.version);
  const other = locks.pinned
    .get(source.unpinnedKey)
    ?.get(name)
    ?.find(({ id }) => matchesReq(req, id.version));
  if (other !== undefined) return held(declared, other.id.source, other.id.version);
  const isOfOwnIndex = ownerId.source === source && isRegistry(source);
  return { declared, source, locked: null, isOfOwnIndex };
}

function held(declared: Dependency, source: SourceId, locked: Version): LockedDependency {
  return { declared, source, locked, isOfOwnIndex: false };
}
