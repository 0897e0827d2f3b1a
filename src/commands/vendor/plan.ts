/** Chooses the folder names of vendored packages. Cargo Book: cargo vendor. */
import { TsregError } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import { packageDirName } from '../../io/sources/crate-file.ts';

/** A package, and the name of the folder to vendor it into. */
export interface NamedPackage<T> {
  readonly item: T;
  readonly name: string;
  /** True if the name contains the version. */
  readonly hasVersion: boolean;
}

/**
 * Names packages, sorted by id. The newest version of a package gets its bare name unless `versionedDirs`; all others
 * get name and version. Throws `source` if two packages have the same name and version.
 */
export function planVendoring<T extends { readonly id: PackageId }>(
  packages: readonly T[],
  { versionedDirs }: { readonly versionedDirs: boolean },
): readonly NamedPackage<T>[] {
  const sorted = packages.toSorted((a, b) => comparePackageIds(a.id, b.id));
  const newest = new Map<string, T>();
  // `sorted` has the versions of a package in ascending order.
  for (const item of sorted) {
    const previous = newest.get(item.id.name);
    if (previous?.id.version.text === item.id.version.text) throw duplicate(previous.id, item.id);
    newest.set(item.id.name, item);
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
