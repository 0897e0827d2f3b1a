/** The differences between a resolution and the previous lock file, package by package. Cargo Book: cargo update. */
import { compareBytes } from '../files/compare-bytes.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import { compareSources, isRegistry } from '../package-id/source-id.ts';
import { comparePrecedence } from '../version/compare-versions.ts';
import type { Previous } from './problem.ts';
import type { Resolution } from './resolution.ts';

/** The change to a package. */
export type ChangeKind = 'added' | 'removed' | 'upgraded' | 'downgraded' | 'unchanged';

/** One package before or after. */
export interface PackageChange {
  readonly kind: ChangeKind;
  /** The new ID; the old one if the package is removed. */
  readonly id: PackageId;
  /** The package that it replaces, if that is unambiguous; else null. */
  readonly from: PackageId | null;
  /** Index into the resolution; null if removed. */
  readonly index: number | null;
}

/** The packages of one name and source. Each is in one list. */
interface Group {
  readonly removed: PackageChange[];
  readonly added: PackageChange[];
  readonly unchanged: PackageChange[];
}

/**
 * Returns every package before and after, sorted by name and source. Within one source, removed packages come first.
 */
export function comparePackages(resolution: Resolution, previous: Previous | null): readonly PackageChange[] {
  return groupPackages(resolution, previous)
    .map(changesOf)
    .sort(([a], [b]) =>
      // No list is empty.
      a === undefined || b === undefined
        ? 0
        : compareBytes(a.id.name, b.id.name) || compareSources(a.id.source, b.id.source),
    )
    .flat();
}

function groupPackages(resolution: Resolution, previous: Previous | null): readonly Group[] {
  const groups = new Map<string, Group>();
  const groupOf = ({ name, source }: PackageId): Group => {
    const key = `${name} ${source.unpinnedKey}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = { removed: [], added: [], unchanged: [] };
      groups.set(key, group);
    }
    return group;
  };
  const before = new Map((previous?.packages ?? []).map((id) => [id.key, id]));
  const after = new Map(resolution.packages.map(({ id }) => [id.key, id]));
  for (const id of before.values()) {
    if (!isUnchanged(id, after)) groupOf(id).removed.push({ kind: 'removed', id, from: null, index: null });
  }
  for (const [index, { id }] of resolution.packages.entries()) {
    const group = groupOf(id);
    if (isUnchanged(id, before)) group.unchanged.push({ kind: 'unchanged', id, from: null, index });
    else group.added.push({ kind: 'added', id, from: null, index });
  }
  return Array.from(groups.values());
}

/** Returns the changes of a group. One removed and one added package are an upgrade or a downgrade. */
function changesOf({ removed, added, unchanged }: Group): readonly PackageChange[] {
  const [old, ...otherRemoved] = removed;
  const [change, ...otherAdded] = added;
  const isReplaced = otherRemoved.length === 0 && otherAdded.length === 0;
  if (!isReplaced || old === undefined || change === undefined) {
    return [...byId(removed), ...byId(added), ...byId(unchanged)];
  }
  const isOlder = comparePrecedence(old.id.version, change.id.version) > 0;
  const replaced: PackageChange = { ...change, kind: isOlder ? 'downgraded' : 'upgraded', from: old.id };
  return [replaced, ...byId(unchanged)];
}

function byId(changes: readonly PackageChange[]): readonly PackageChange[] {
  return changes.toSorted((a, b) => comparePackageIds(a.id, b.id));
}

/** Returns true if the other resolution has the package, from the same commit. */
function isUnchanged(id: PackageId, others: ReadonlyMap<string, PackageId>): boolean {
  const other = others.get(id.key);
  return other !== undefined && (isRegistry(id.source) || other.source.precise === id.source.precise);
}
