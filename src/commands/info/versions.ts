/** Finds the versions of a package, and chooses the one to show. Cargo Book: cargo info. */
import { TsregError } from '../../core/errors/error.ts';
import { matchesPackageIdSpec, type PackageIdSpec } from '../../core/package-id/package-id-spec.ts';
import { isRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import { UNKNOWN } from '../../core/resolve/problem.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import {
  isRustVersionCompatible,
  parseRustVersion,
  type PartialVersion,
} from '../../core/version/partial-version.ts';
import { absentVersion, type SearchedRegistry } from '../shared/registry/absent-version.ts';

/** The options of `queryVersions`. */
export interface VersionQuery {
  /** The source as manifests name it. */
  readonly source: SourceId;
  readonly catalog: PackageCatalog;
  /** True if index data on disk is sufficient. */
  readonly isLocked: boolean;
  readonly isOffline: boolean;
}

/** The versions of a package in a source. */
export interface FoundVersions {
  /** All versions, yanked ones included. */
  readonly all: readonly Summary[];
  /** Those that are not yanked. Without network, only downloaded ones if there are any. */
  readonly usable: readonly Summary[];
}

/**
 * Returns the versions of a package. If a registry has no such package, includes names that differ only in case, or in
 * `-` and `_`.
 */
export async function queryVersions(name: string, query: VersionQuery): Promise<FoundVersions> {
  const { source, catalog } = query;
  const exact = await versionsOf(name, query);
  const opened = catalog.sourceOf(source);
  if (exact.length > 0 || !isRegistry(opened.actual)) {
    return { all: exact, usable: usableVersions(exact, query) };
  }
  const all: Summary[] = [];
  const usable: Summary[] = [];
  for (const similarName of await opened.similarNames(name)) {
    const versions = await versionsOf(similarName, query);
    all.push(...versions);
    usable.push(...usableVersions(versions, query));
  }
  return { all, usable };
}

/** Returns all versions of the package with exactly this name, yanked ones included. Queries the source if necessary. */
async function versionsOf(name: string, query: VersionQuery): Promise<readonly Summary[]> {
  const { source, catalog, isLocked } = query;
  const { table } = catalog;
  // `all` makes the registry refresh its data first.
  const readTable = (): readonly Summary[] | typeof UNKNOWN =>
    isLocked ? table.atHand(source, name) : table.all(source, name);
  let versions = readTable();
  if (versions === UNKNOWN) {
    await catalog.loader.load([{ source, name }]);
    versions = readTable();
  }
  if (versions === UNKNOWN) {
    throw new TsregError(`the versions of \`${name}\` are missing`, { code: 'bug' });
  }
  return versions;
}

/** Returns the versions that are not yanked. Without network, returns only downloaded ones if there are any. */
function usableVersions(versions: readonly Summary[], query: VersionQuery): readonly Summary[] {
  const { source, catalog, isOffline } = query;
  const all = versions.filter(({ yanked }) => !yanked);
  if (!isOffline) return all;
  const downloaded = all.filter(({ id }) => catalog.table.isDownloaded(source, id.name, id.version));
  return downloaded.length > 0 ? downloaded : all;
}

/**
 * Returns the highest usable version that matches `spec`. Prefers versions that declare support for `rustVersion`.
 * Throws `not-found` if there is none; `registry` is for its message.
 */
export function chooseVersion(
  spec: PackageIdSpec,
  { all, usable }: FoundVersions,
  { rustVersion, registry }: { readonly rustVersion: PartialVersion; readonly registry: SearchedRegistry },
): Summary {
  const isSupported = ({ rustVersion: required }: Summary): boolean =>
    required !== null && isRustVersionCompatible(parseRustVersion(required), rustVersion);
  const best = usable
    .filter(({ id }) => matchesPackageIdSpec(spec, id))
    .toSorted(
      (a, b) =>
        Number(isSupported(a)) - Number(isSupported(b)) || compareVersions(a.id.version, b.id.version),
    )
    .at(-1);
  if (best !== undefined) return best;
  throw absentVersion(spec, all, registry);
}

/** Returns the highest version, of several equal ones the last; null if there is none. */
export function latestVersion(versions: readonly Summary[]): Summary | null {
  return versions.toSorted((a, b) => compareVersions(a.id.version, b.id.version)).at(-1) ?? null;
}
