/** A workspace and its graph as the document of `metadata`. Cargo Book: cargo metadata. */
import type { PackageView, WorkspaceView } from '../derived/package-view.ts';
import { resolveText } from '../metadata/document-text.ts';
import { buildGraph } from '../metadata/graph.ts';
import { reachablePackages } from '../metadata/reach.ts';
import { describePackage } from '../package-id/describe.ts';
import { formatPackageId } from '../package-id/package-id.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { PlatformFilter } from './platform-filter.ts';

/** A resolved graph with its packages by index, as far as `neededPackages` names them. */
export interface LoadedGraph {
  readonly resolution: Resolution;
  readonly packages: ReadonlyMap<number, PackageView>;
}

/** Indexes of the packages that the named platforms and this machine need, sorted. */
export function neededPackages(
  view: WorkspaceView,
  resolution: Resolution,
  { downloads }: PlatformFilter,
): readonly number[] {
  const members = memberIndexes(view, resolution);
  const needed = new Set(downloads.flatMap((filter) => reachablePackages(resolution, members, filter)));
  return Array.from(needed).sort((a, b) => a - b);
}

/**
 * What is to be said of a graph before it is described: direct dependencies of members that are no libraries, which
 * the document leaves out. Each as its text after `warning: `.
 */
export function graphWarnings(
  view: WorkspaceView,
  graph: LoadedGraph,
  platforms: PlatformFilter,
): readonly string[] {
  return Array.from(missingLibraries(memberIndexes(view, graph.resolution), graph, platforms));
}

/** A graph as the document prints it. */
export interface DescribedGraph {
  /** In the order in which they are printed. */
  readonly packages: readonly PackageView[];
  /** `resolve` as JSON text. */
  readonly resolve: string;
}

/** What the document says of a graph. Throws where a package depends on another under two names. */
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
  const current = view.current === null ? undefined : members[view.current];
  const root = current === undefined ? null : (ids[current] ?? null);
  return {
    packages: nodes.flatMap((node) => packages.get(node.package) ?? []),
    resolve: resolveText({ resolution, nodes, ids, root }),
  };
}

/** Index of each member into the packages of the resolution. */
function memberIndexes({ members }: WorkspaceView, { packages }: Resolution): readonly number[] {
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  return members.flatMap(({ summary }) => indexes.get(summary.id.key) ?? []);
}

function* missingLibraries(
  members: readonly number[],
  { resolution, packages }: LoadedGraph,
  { downloads }: PlatformFilter,
): Generator<string> {
  for (const member of members.toSorted((a, b) => a - b)) {
    const from = resolution.packages[member];
    for (const { to, dependencies } of from?.edges ?? []) {
      const target = packages.get(resolution.packages[to]?.replacement ?? to);
      if (from === undefined || target === undefined || target.libraryName !== null) continue;
      if (!dependencies.some((dependency) => downloads.some((filter) => filter(dependency)))) continue;
      for (const { nameInToml } of dependencies) {
        yield `${describePackage(from.id)} ignoring invalid dependency \`${nameInToml}\` which is missing a lib target`;
      }
    }
  }
}
