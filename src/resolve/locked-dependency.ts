import type { PackageId } from '../package-id/package-id.ts';
import { isSameSource, type SourceId } from '../package-id/source-id.ts';
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
}

const NONE: readonly PinnedPackage[] = [];

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
  return lockFor(declared, findPinned(owner, locks), locks, patches);
}

/** As `lockDependency`, for an owner whose pinned form was looked up before. */
export function lockFor(
  declared: Dependency,
  owner: PinnedPackage | undefined,
  locks: Locks,
  patches: Patches,
): LockedDependency {
  const { name, req, source } = declared;
  if (owner !== undefined) {
    for (const id of owner.dependencies) {
      if (id.name !== name || !matchesReq(req, id.version)) continue;
      if (isSameSource(source, id.source)) return { declared, source: id.source, locked: id.version };
      const available = patches.bySource.get(source.canonicalUrl)?.available;
      if (available?.some((patch) => patch.key === id.key)) {
        return { declared, source, locked: id.version };
      }
    }
  }
  for (const { id } of locks.pinned.get(source.unpinnedKey)?.get(name) ?? NONE) {
    if (matchesReq(req, id.version)) return { declared, source: id.source, locked: id.version };
  }
  return { declared, source, locked: null };
}
