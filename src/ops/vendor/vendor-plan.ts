/** Which packages are vendored under which names. Cargo Book: cargo vendor. */
import { TsregError } from '../../errors/error.ts';
import { displaySource } from '../../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../../package-id/package-id.ts';
import { packageDirName } from '../../sources/unpack-package.ts';

/** A package and the folder that it is vendored into. */
export interface NamedPackage<T> {
  readonly item: T;
  readonly name: string;
  /** True where the name says which version it is. */
  readonly hasVersion: boolean;
}

/**
 * Names packages, in the order of their ids: the newest of each name by its name alone unless `versionedDirs`, all
 * others by name and version. Throws where two have both in common.
 */
export function planVendoring<T extends { readonly id: PackageId }>(
  packages: readonly T[],
  { versionedDirs }: { readonly versionedDirs: boolean },
): readonly NamedPackage<T>[] {
  const sorted = packages.toSorted((a, b) => comparePackageIds(a.id, b.id));
  const newest = new Map<string, T>();
  for (const each of sorted) {
    const before = newest.get(each.id.name);
    if (before?.id.version.text === each.id.version.text) throw duplicate(before.id, each.id);
    newest.set(each.id.name, each);
  }
  return sorted.map((item) => {
    const hasVersion = versionedDirs || newest.get(item.id.name) !== item;
    return { item, hasVersion, name: hasVersion ? packageDirName(item.id) : item.id.name };
  });
}

function duplicate(first: PackageId, second: PackageId): TsregError {
  const { name, version } = second;
  return new TsregError(
    `found duplicate version of package \`${name} v${version.text}\` vendored from two sources:\n\n` +
      `\tsource 1: ${displaySource(first.source)}\n\tsource 2: ${displaySource(second.source)}`,
    { code: 'source' },
  );
}
