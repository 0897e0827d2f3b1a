/** Packages of a lock file that have newer versions. */
import { present } from '../errors/assert.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { isRegistry, isSameSource } from '../package-id/source-id.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import { caretReqOf } from './change-note.ts';
import { type MissingSummary, type SummaryTable, UNKNOWN } from './problem.ts';
import type { Resolution } from './resolution.ts';

/** A package, and the declarations by which it depends on another. */
export interface Dependent {
  readonly id: PackageId;
  /** Never empty. */
  readonly dependencies: readonly Dependency[];
}

/** A package from a registry that has a newer version. */
export interface OutdatedPackage {
  readonly id: PackageId;
  /**
   * The version after an update; null if that removes this version, and the dependents need no higher one, or if the
   * updated resolution is unknown.
   */
  readonly compatible: Version | null;
  /**
   * The highest version that is not yanked, and no pre-release unless the current version is one; null if there is none.
   */
  readonly latest: Version | null;
  /** Sorted by package ID. Never empty. */
  readonly dependents: readonly Dependent[];
}

/** The resolutions to compare. */
export interface OutdatedContext {
  readonly current: Resolution;
  /** The resolution after an update of all packages; null if it is unknown. */
  readonly updated: Resolution | null;
  readonly table: Pick<SummaryTable, 'atHand'>;
}

/** The result of `findOutdated`. */
export interface OutdatedPackages {
  /** The number of packages from registries on which the dependents depend. */
  readonly checked: number;
  /** Sorted by package ID. */
  readonly packages: readonly OutdatedPackage[];
  /** The packages to load before the next call. If there are any, `packages` is incomplete. */
  readonly missingSummaries: readonly MissingSummary[];
}

/**
 * Returns the packages from registries that have a newer version, among those on which `dependents` directly depend.
 * `dependents` are indexes into the current packages.
 */
export function findOutdated(
  dependents: readonly number[],
  { current, updated, table }: OutdatedContext,
): OutdatedPackages {
  const findUpdated = updated === null ? () => null : updatedVersions(updated);
  const packages: OutdatedPackage[] = [];
  const missingSummaries: MissingSummary[] = [];
  let checked = 0;
  for (const [index, uses] of usesByPackage(dependents, current)) {
    const { id } = present(current.packages[index], 'a package of the resolution');
    const { source, name, version } = id;
    if (!isRegistry(source)) continue;
    checked += 1;
    const all = table.atHand(source, name);
    if (all === UNKNOWN) {
      missingSummaries.push({ source, name });
      continue;
    }
    const compatible = findUpdated(id, uses);
    const latest = latestVersion(all, version);
    const isNewer = (other: Version | null): boolean => other !== null && compareVersions(other, version) > 0;
    if (isNewer(compatible) || isNewer(latest)) packages.push({ id, compatible, latest, dependents: uses });
  }
  return { checked, packages, missingSummaries };
}

/** Returns what depends on each package, by its index, in the order of the packages. */
function usesByPackage(
  dependents: readonly number[],
  { packages }: Resolution,
): readonly (readonly [number, readonly Dependent[]])[] {
  const uses = new Map<number, Dependent[]>();
  for (const from of dependents.toSorted((a, b) => a - b)) {
    const { id, edges } = present(packages[from], 'a package of the resolution');
    for (const { to, dependencies } of edges) {
      const index = packages[to]?.replacement ?? to;
      const list = uses.get(index) ?? [];
      uses.set(index, list);
      list.push({ id, dependencies });
    }
  }
  return Array.from(uses).sort(([a], [b]) => a - b);
}

/**
 * Returns a function for the version of a package after an update: the one that its dependents depend on then. Of several
 * versions, that is the highest. If the update replaces all dependents: the compatible version, else a higher one.
 */
function updatedVersions({
  packages,
}: Resolution): (id: PackageId, uses: readonly Dependent[]) => Version | null {
  const targets = new Map<Dependency, PackageId>();
  const edges = packages.flatMap((from) =>
    from.edges.map(({ to, dependencies }) => {
      const { id } = present(packages[packages[to]?.replacement ?? to], 'a package of the resolution');
      for (const dependency of dependencies) targets.set(dependency, id);
      return { from: from.id, to: id };
    }),
  );
  return (id, uses) => {
    const declared = uses.flatMap(({ dependencies }) => dependencies);
    const updated = declared.flatMap((dependency) => targets.get(dependency) ?? []);
    if (updated.length > 0) return highest(updated);
    // The update replaces all dependents. A lock file has only one of several compatible versions.
    const others = edges.filter(({ to }) => isSamePackage(to, id));
    const successor = others.find(({ to }) => isCompatible(to.version, id.version));
    if (successor !== undefined) return successor.to.version;
    // Lower versions take the place of other packages. Requirements tell several higher versions apart.
    const higher = others.filter(({ to }) => compareVersions(to.version, id.version) > 0);
    const accepted = higher.filter(({ to }) => declared.some(({ req }) => matchesReq(req, to.version)));
    if (accepted.length > 0) return highest(accepted.map(({ to }) => to));
    const ofNewer = higher.filter(({ from }) => uses.some((use) => isSamePackage(use.id, from)));
    return highest(ofNewer.map(({ to }) => to));
  };
}

/** Returns true if `^` and the lower version accept the higher one. */
function isCompatible(a: Version, b: Version): boolean {
  const [lower, higher] = compareVersions(a, b) < 0 ? [a, b] : [b, a];
  return matchesReq(caretReqOf(lower), higher);
}

/** Returns true for two versions of one package. */
function isSamePackage(a: PackageId, b: PackageId): boolean {
  return a.name === b.name && isSameSource(a.source, b.source);
}

function latestVersion(all: readonly Summary[], current: Version): Version | null {
  const usable = all.filter(({ id, yanked }) => !yanked && (id.version.pre === '' || current.pre !== ''));
  return highest(usable.map(({ id }) => id));
}

function highest(ids: readonly PackageId[]): Version | null {
  const versions = ids.map(({ version }) => version);
  return versions.toSorted(compareVersions).at(-1) ?? null;
}
