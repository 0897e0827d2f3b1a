/** The differences between two lock files as text, to explain why a lock file must change. */
import { present } from '../errors/assert.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { LockedPackage, Lockfile } from './lockfile.ts';

/** The maximum number of changes in the text. */
const MAX_SHOWN = 4;

/** Returns one line with the first changes from `before` to `after`; null if packages and their edges are the same. */
export function describeLockfileChanges(before: Lockfile, after: Lockfile): string | null {
  const changes = [...changedPackages(before, after), ...changedEdges(before, after)];
  if (changes.length === 0) return null;
  const shown = changes.slice(0, MAX_SHOWN);
  if (changes.length > MAX_SHOWN) shown.push(`and ${changes.length - MAX_SHOWN} more`);
  return shown.join('; ');
}

/** Returns the packages that are in only one file. Describes a removed and an added one of the same name together. */
function changedPackages(before: Lockfile, after: Lockfile): readonly string[] {
  const removed = idsOnlyIn(before, after);
  const added = idsOnlyIn(after, before);
  const names = [...new Set([...added, ...removed].map(({ name }) => name))];
  return names.flatMap((name) => {
    const unneeded = removed.filter((id) => id.name === name);
    const missing = added.filter((id) => id.name === name);
    const pairCount = Math.min(unneeded.length, missing.length);
    return [
      ...missing.slice(0, pairCount).map((id, index) => {
        const replaced = present(unneeded[index], 'the replaced package');
        return `it has ${quoted(replaced)} where ${quoted(id)} is needed`;
      }),
      ...missing.slice(pairCount).map((id) => `${quoted(id)} is missing in it`),
      ...unneeded.slice(pairCount).map((id) => `${quoted(id)} is in it and not needed`),
    ];
  });
}

/** Returns the changed edges of packages that are in both files. */
function changedEdges(before: Lockfile, after: Lockfile): readonly string[] {
  const packagesBefore = new Map(before.packages.map((locked) => [locked.id.key, locked]));
  const keysAfter = new Set(after.packages.map(({ id }) => id.key));
  return after.packages.flatMap((newPackage) => {
    const { id } = newPackage;
    const oldPackage = packagesBefore.get(id.key);
    if (oldPackage === undefined) return [];
    return [
      ...edgesOnlyIn(newPackage, oldPackage)
        .filter(({ key }) => packagesBefore.has(key))
        .map((target) => `${quoted(id)} depends on ${quoted(target)} now`),
      ...edgesOnlyIn(oldPackage, newPackage)
        .filter(({ key }) => keysAfter.has(key))
        .map((target) => `${quoted(id)} no longer depends on ${quoted(target)}`),
    ];
  });
}

function idsOnlyIn({ packages }: Lockfile, other: Lockfile): readonly PackageId[] {
  const keys = new Set(other.packages.map(({ id }) => id.key));
  return packages.map(({ id }) => id).filter(({ key }) => !keys.has(key));
}

function edgesOnlyIn({ dependencies }: LockedPackage, other: LockedPackage): readonly PackageId[] {
  const keys = new Set(other.dependencies.map(({ key }) => key));
  return dependencies.filter(({ key }) => !keys.has(key));
}

function quoted({ name, version }: PackageId): string {
  return `\`${name} v${version.text}\``;
}
