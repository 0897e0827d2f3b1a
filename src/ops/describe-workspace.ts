/** A workspace and its graph as the document of `metadata`. Cargo Book: cargo metadata. */
import type { Config } from '../config/config.ts';
import { buildDirectory, targetDirectory } from '../config/target-directory.ts';
import type { PackageView, WorkspaceView } from '../derived/package-view.ts';
import { documentBytes, type DocumentGraph, type DocumentPackage } from '../metadata/document-text.ts';
import { buildGraph } from '../metadata/graph.ts';
import { reachablePackages } from '../metadata/reach.ts';
import { describePackage } from '../package-id/describe.ts';
import { formatPackageId } from '../package-id/package-id.ts';
import type { Resolution } from '../resolve/resolution.ts';
import type { PlatformFilter } from './platform-filter.ts';

/** How the document is to be printed. */
export interface DescribeOptions {
  readonly config: Config;
  readonly idForm: 'legacy' | 'spec';
}

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

/** The document of the members alone. */
export function describeMembers(view: WorkspaceView, options: DescribeOptions): readonly Uint8Array[] {
  return bytesOf(view, options, view.members, null);
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

/** The document with the graph. Throws where a package depends on another under two names. */
export function describeGraph(
  view: WorkspaceView,
  { resolution, packages }: LoadedGraph,
  { platforms, ...options }: DescribeOptions & { readonly platforms: PlatformFilter },
): readonly Uint8Array[] {
  const members = memberIndexes(view, resolution);
  const nodes = buildGraph(resolution, {
    members,
    libraryName: (index) => packages.get(index)?.libraryName ?? null,
    isActive: (dependency) => platforms.isRequested(dependency),
  });
  const ids = resolution.packages.map(({ id }) => formatPackageId(id, options.idForm));
  const current = view.current === null ? undefined : members[view.current];
  const root = current === undefined ? null : (ids[current] ?? null);
  const printed = nodes.flatMap((node) => packages.get(node.package) ?? []);
  return bytesOf(view, options, printed, { resolution, nodes, ids, root });
}

function bytesOf(
  view: WorkspaceView,
  { config, idForm }: DescribeOptions,
  packages: readonly PackageView[],
  graph: DocumentGraph | null,
): readonly Uint8Array[] {
  const printId = ({ summary }: PackageView): string => formatPackageId(summary.id, idForm);
  const memberIds = view.members.map(printId);
  return documentBytes({
    packages: packages.map((each): DocumentPackage => ({ id: printId(each), text: each })),
    workspaceMembers: memberIds,
    workspaceDefaultMembers: view.defaultMembers.flatMap((index) => memberIds[index] ?? []),
    graph,
    targetDirectory: targetDirectory(config, view.root),
    buildDirectory: buildDirectory(config, view.root),
    workspaceRoot: view.root,
    metadataText: view.metadataText,
  });
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
