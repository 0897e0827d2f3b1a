/** The differences between two lock files as text, to explain why a lock file must change. */
import type { PackageId } from '../package-id/package-id.ts';
import type { LockedPackage, Lockfile } from './lockfile.ts';

/** The maximum number of changes in the text. */
const MAX_SHOWN = 4;

/** Returns one line with the first changes from `before` to `after`; null if packages and their edges are the same. */
export function describeLockfileChanges(before: Lockfile, after: Lockfile): string | null {
  const changes = [...changedPackages(before, after), ...changedEdges(before, after)];
  if (changes.length === 0) return null;
  const left = changes.length - MAX_SHOWN;
  return [...changes.slice(0, MAX_SHOWN), ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

function changedPackages(before: Lockfile, after: Lockfile): readonly string[] {
  const gone = onlyIn(before, after);
  const come = onlyIn(after, before);
  const names = [...new Set([...come, ...gone].map(({ name }) => name))];
  return names.flatMap((name) => {
    const old = gone.filter((id) => id.name === name);
    const now = come.filter((id) => id.name === name);
    const pairs = Math.min(old.length, now.length);
    return [
      ...now.slice(0, pairs).map((id, at) => `it has ${shown(old[at])} where ${shown(id)} is needed`),
      ...now.slice(pairs).map((id) => `${shown(id)} is missing in it`),
      ...old.slice(pairs).map((id) => `${shown(id)} is in it and not needed`),
    ];
  });
}

/** Returns the changed edges of packages that are in both files. */
function changedEdges(before: Lockfile, after: Lockfile): readonly string[] {
  const old = new Map(before.packages.map((each) => [each.id.key, each]));
  const known = new Set([...old.keys()]);
  return after.packages.flatMap((each) => {
    const was = old.get(each.id.key);
    if (was === undefined) return [];
    return [
      ...edgesOnlyIn(each, was)
        .filter(({ key }) => known.has(key))
        .map((id) => `${shown(each.id)} depends on ${shown(id)} now`),
      ...edgesOnlyIn(was, each)
        .filter(({ key }) => after.packages.some(({ id }) => id.key === key))
        .map((id) => `${shown(each.id)} no longer depends on ${shown(id)}`),
    ];
  });
}

function onlyIn({ packages }: Lockfile, other: Lockfile): readonly PackageId[] {
  const keys = new Set(other.packages.map(({ id }) => id.key));
  return packages.map(({ id }) => id).filter(({ key }) => !keys.has(key));
}

function edgesOnlyIn({ dependencies }: LockedPackage, other: LockedPackage): readonly PackageId[] {
  const keys = new Set(other.dependencies.map(({ key }) => key));
  return dependencies.filter(({ key }) => !keys.has(key));
}

function shown(id: PackageId | undefined): string {
  return id === undefined ? '' : `\`${id.name} v${id.version.text}\``;
}
