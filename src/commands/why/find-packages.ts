/** Finds the packages that match a specification, and the paths to them. */
import { TsregError } from '../../core/errors/error.ts';
import { closestName } from '../../core/errors/similar-names.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import {
  formatPackageIdSpec,
  matchesPackageIdSpec,
  type PackageIdSpec,
} from '../../core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import type { Dependency } from '../../core/summary/summary.ts';
import { type DependencyPath, PathFinder } from '../../core/tree/find-paths.ts';
import type { LockedGraph } from '../shared/graph/load-graph.ts';
import type { SelectedGraph } from '../shared/graph/select-graph.ts';

/** The most paths to one package that `--all` finds. docs/why.md names the number. */
const MAX_PATHS = 100;

/** A package that matches, and the paths to it. */
export interface FoundPackage {
  readonly id: PackageId;
  /** Never empty. */
  readonly paths: readonly DependencyPath[];
  /** False if there are more paths than `MAX_PATHS`. */
  readonly complete: boolean;
}

/** The result of `findPackages`. */
export interface FoundPackages {
  /** Sorted by package ID. Never empty. */
  readonly found: readonly FoundPackage[];
  /** Further packages of the lock file that match, but to which no path leads. */
  readonly unneeded: readonly PackageId[];
  /** The flags with which there may be paths to these. */
  readonly moreFlags: string;
}

/** The graph to search. */
export interface SearchedGraph {
  readonly graph: LockedGraph;
  readonly selection: SelectedGraph;
  /** True for all paths, up to `MAX_PATHS`; false for the shortest one from each selected package. */
  readonly all: boolean;
}

/** Returns the packages that match and the paths to them. Throws `not-found` if no path leads to such a package. */
export function findPackages(
  spec: PackageIdSpec,
  { graph: { resolution, lockResolution }, selection, all }: SearchedGraph,
): FoundPackages {
  const ids = resolution.packages.map(({ id }) => id);
  const startKeys = new Set(selection.specs.map((start) => queryPackageIdSpec(start, ids).key));
  const starts = ids.flatMap(({ key }, index) => (startKeys.has(key) ? index : []));
  const find = (isActive: (dependency: Dependency) => boolean): readonly FoundPackage[] =>
    ids.flatMap((id, index) => {
      if (!matchesPackageIdSpec(spec, id)) return [];
      const found = pathsFrom(starts, new PathFinder(resolution, index, isActive), all);
      return found.paths.length === 0 ? [] : { id, ...found };
    });
  const matching = matchingPackages(
    spec,
    lockResolution.packages.map(({ id }) => id),
  );
  const found = find((dependency) => selection.filters.some((filter) => filter(dependency)));
  const missingFrom = (packages: readonly FoundPackage[]): readonly PackageId[] =>
    matching.filter(({ key }) => !packages.some(({ id }) => id.key === key));
  const unneeded = missingFrom(found);
  const isForTarget = unneeded.length > 0 && missingFrom(find(() => true)).length === 0;
  const moreFlags = isForTarget ? '--target all' : '--workspace --all-features --target all';
  if (found.length > 0) return { found, unneeded, moreFlags };
  const condition = isForTarget ? 'on this target' : 'with these features on this target';
  throw new TsregError(
    `\`${formatPackageIdSpec(spec)}\` is in \`Cargo.lock\`, but the selected packages do not need it ${condition}`,
    { code: 'not-found', hint: `to search more of \`Cargo.lock\`, add \`${moreFlags}\`` },
  );
}

/** Returns the packages of the lock file that match. Throws `not-found`, with a hint, if there are none. */
function matchingPackages(spec: PackageIdSpec, ids: readonly PackageId[]): readonly PackageId[] {
  const matching = ids.filter((id) => matchesPackageIdSpec(spec, id));
  if (matching.length > 0) return matching;
  throw new TsregError(`\`Cargo.lock\` contains no package \`${formatPackageIdSpec(spec)}\``, {
    code: 'not-found',
    hint: absentHint(spec, ids),
  });
}

/** Returns a hint for a missing package: its other versions, a similar name, or a command that lists all packages. */
function absentHint({ name }: PackageIdSpec, ids: readonly PackageId[]): string {
  const others = ids.filter((id) => id.name === name);
  if (others.length > 0) return `it contains ${others.map((id) => `\`${describePackage(id)}\``).join(', ')}`;
  const similar = closestName(
    name,
    ids.map((id) => id.name),
  );
  if (similar !== null) return `a package with a similar name exists: \`${similar}\``;
  return '`tsreg tree --workspace --target all` shows all dependencies';
}

/** Returns the shortest path from each start, or all paths up to the limit. */
function pathsFrom(
  starts: readonly number[],
  finder: PathFinder,
  all: boolean,
): Pick<FoundPackage, 'paths' | 'complete'> {
  if (!all) {
    const paths = starts.flatMap((start) => {
      const first = finder.from([start]).next();
      return first.done === true ? [] : [first.value];
    });
    return { paths, complete: true };
  }
  const paths: DependencyPath[] = [];
  for (const path of finder.from(starts)) {
    if (paths.length === MAX_PATHS) return { paths, complete: false };
    paths.push(path);
  }
  return { paths, complete: true };
}
