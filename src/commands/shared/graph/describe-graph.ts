/** Describes a workspace and its graph in the document of `metadata`. Cargo Book: cargo metadata. */
import { present } from '../../../core/errors/assert.ts';
import type { PackageView, WorkspaceView } from './package-view.ts';
import { resolveText } from '../../../core/document/document-text.ts';
import { buildGraph } from '../../../core/document/graph.ts';
import { type DependencyFilter, reachablePackages } from '../../../core/document/reach.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import { formatPackageId } from '../../../core/package-id/package-id.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import type { PlatformFilter } from '../platform/platform-filter.ts';
import type { GraphSelection } from './graph-selection.ts';

/** A resolved graph, and those of its packages that `neededPackages` selects, by index. */
export interface LoadedGraph {
  readonly resolution: Resolution;
  readonly packages: ReadonlyMap<number, PackageView>;
}

/**
 * Selects the packages that the requested platforms and this machine need. They include every package that
 * `describeGraph` can reach, because it follows fewer dependencies.
 */
export function neededPackages(
  view: WorkspaceView,
  requested: RequestedFeatures,
  platforms: PlatformFilter,
): Pick<GraphSelection, 'neededPackages' | 'nextNeededPackage'> {
  const { downloadFilters } = platforms;
  const reachable: GraphSelection['neededPackages'] = (resolution) =>
    reachableOnAny(resolution, memberIndexes(view, resolution), downloadFilters);
  // With one platform, `reachable` already selects every package that feature resolution can visit.
  if (downloadFilters.length === 1 || view.resolver === '1') return { neededPackages: reachable };
  return {
    neededPackages: reachable,
    nextNeededPackage: async (resolution, packages) => {
      const { unreadMacro } = await import('./unread-macro.ts');
      return unreadMacro(resolution, packages, { view, requested, platforms });
    },
  };
}

/** Returns the indexes of all packages that are reachable from `roots` with at least one of the filters, sorted. */
export function reachableOnAny(
  resolution: Resolution,
  roots: readonly number[],
  filters: readonly DependencyFilter[],
): readonly number[] {
  const reached = new Set(filters.flatMap((filter) => reachablePackages(resolution, roots, filter)));
  return Array.from(reached).sort((a, b) => a - b);
}

/**
 * Returns warnings about direct dependencies of members without a library, which the document leaves out. Each is the
 * text after `warning: `.
 */
export function graphWarnings(
  view: WorkspaceView,
  graph: LoadedGraph,
  platforms: PlatformFilter,
): readonly string[] {
  return missingLibraryWarnings(memberIndexes(view, graph.resolution), graph, platforms.downloadFilters);
}

/** Returns the same warnings as `graphWarnings`, for direct dependencies of `roots` that one of the filters accepts. */
export function missingLibraryWarnings(
  roots: readonly number[],
  { resolution, packages }: LoadedGraph,
  filters: readonly DependencyFilter[],
): readonly string[] {
  const warnings: string[] = [];
  for (const root of roots.toSorted((a, b) => a - b)) {
    const { id, edges } = present(resolution.packages[root], 'a package of the resolution');
    for (const { to, dependencies } of edges) {
      const target = packages.get(resolution.packages[to]?.replacement ?? to);
      if (target === undefined || target.libraryName !== null) continue;
      if (!dependencies.some((dependency) => filters.some((filter) => filter(dependency)))) continue;
      for (const { nameInToml } of dependencies) {
        warnings.push(
          `${describePackage(id)} ignoring invalid dependency \`${nameInToml}\` which is missing a lib target`,
        );
      }
    }
  }
  return warnings;
}

/** A graph in the form of the document. */
export interface DescribedGraph {
  /** In print order. */
  readonly packages: readonly PackageView[];
  /** `resolve` as JSON text. */
  readonly resolve: string;
}

/** Describes a graph. Throws `resolve` if a package depends on another under two names. */
export function describeGraph(
  view: WorkspaceView,
  { resolution, packages }: LoadedGraph,
  { idForm, platforms }: { readonly idForm: 'legacy' | 'spec'; readonly platforms: PlatformFilter },
): DescribedGraph {
  const members = memberIndexes(view, resolution);
  const nodes = buildGraph(resolution, {
    members,
    libraryName: (index) => packages.get(index)?.libraryName ?? null,
    isActive: (dependency) => platforms.isRequested(dependency),
  });
  const ids = resolution.packages.map(({ id }) => formatPackageId(id, idForm));
  const idOfMember = (member: number): string =>
    present(ids[present(members[member], 'a member')], 'the id of a member');
  const root = view.current === null ? null : idOfMember(view.current);
  return {
    packages: nodes.map((node) => present(packages.get(node.package), 'the package of a node')),
    resolve: resolveText({ resolution, nodes, ids, root }),
  };
}

/** Returns the index of each member into the packages of the resolution. */
function memberIndexes({ members }: WorkspaceView, { packages }: Resolution): readonly number[] {
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  return members.map(({ summary }) => present(indexes.get(summary.id.key), 'a member of the resolution'));
}
