/** The last step of a resolution: turns the active packages into a graph and checks it. */
import { present } from '../errors/assert.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import type { Dependency } from '../summary/summary.ts';
import type { Candidates } from './candidates.ts';
import { findCollision, findCycle } from './check-graph.ts';
import { dependencyKey } from './dependency-key.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node, Nodes } from './node.ts';
import type { Outcome, Patches } from './problem.ts';
import type { ResolvedEdge, ResolvedPackage } from './resolution.ts';
import type { ParentEdge } from './state.ts';

/** An active graph, the result of `solve` or `resolveFromLock`. */
export interface ActiveGraph {
  activeNodes(): ReadonlySet<Node>;
  parentsOf(node: Node): readonly ParentEdge[];
  featuresOf(node: Node): ReadonlySet<string>;
}

/** An edge with its locked declarations. `to` is an index into the sorted packages. */
export interface LockedEdge {
  readonly to: number;
  readonly dependencies: readonly LockedDependency[];
}

/** Returns the resolution for a graph, or a failure if the graph has a cycle or a collision. */
export function finishResolution(graph: ActiveGraph, nodes: Nodes, candidates: Candidates): Outcome {
  const active = Array.from(graph.activeNodes()).sort((a, b) => comparePackageIds(a.id, b.id));
  const indexes = new Map(active.map((node, index) => [node, index]));
  const edges: LockedEdge[][] = active.map(() => []);
  // Targets in order, so that the edges of each package are sorted by target.
  active.forEach((node, to) => {
    for (const { parent, dependencies } of graph.parentsOf(node)) {
      const from = indexes.get(parent);
      if (from !== undefined) edges[from]?.push({ to, dependencies });
    }
  });
  const packages = active.map((node, index): ResolvedPackage => {
    const replacement = candidates.replacedBy.get(node.summary);
    return {
      id: node.id,
      summary: node.summary,
      features: sortedFeatures(graph.featuresOf(node)),
      edges: present(edges[index], 'the list of edges of a package').map((edge) => resolvedEdge(edge, node)),
      replacement: replacement === undefined ? null : (indexes.get(nodes.of(replacement)) ?? null),
    };
  });
  const error = findCycle(packages, edges) ?? findCollision(packages.map(({ id }) => id));
  if (error !== null) return { kind: 'failed', failure: { kind: 'worded', error } };
  return {
    kind: 'done',
    resolution: {
      packages,
      unusedPatches: unusedPatches(candidates.problem.patches, packages),
    },
  };
}

/** Returns an edge of the result, with its declarations in the order of the manifest. */
function resolvedEdge({ to, dependencies }: LockedEdge, from: Node): ResolvedEdge {
  const only = dependencies[0];
  if (only !== undefined && dependencies.length === 1) return { to, dependencies: [only.declared] };
  const unique = new Map<string, Dependency>();
  // `dependencies` has the order of activation; the result needs that of the manifest.
  const inManifestOrder =
    from.patchDependencies === from.dependencies
      ? from.dependencies
      : [...from.dependencies, ...from.patchDependencies];
  for (const dependency of inManifestOrder) {
    if (!dependencies.includes(dependency)) continue;
    const key = dependencyKey(dependency);
    if (!unique.has(key)) unique.set(key, dependency.declared);
  }
  return { to, dependencies: Array.from(unique.values()) };
}

function sortedFeatures(features: ReadonlySet<string>): readonly string[] {
  const names = Array.from(features);
  return names.length < 2 ? names : names.sort(compareBytes);
}

/** Returns the IDs of selected patches that the graph does not contain. */
function unusedPatches(patches: Patches, packages: readonly ResolvedPackage[]): readonly PackageId[] {
  if (patches.bySource.size === 0) return [];
  const used = new Set(packages.map(({ id }) => id.key));
  const unused: PackageId[] = [];
  for (const { summaries } of patches.bySource.values()) {
    for (const { id } of summaries) if (!used.has(id.key)) unused.push(id);
  }
  return unused;
}
