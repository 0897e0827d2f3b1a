/** The graph of `tree` as a JSON document. */
import { present } from '../errors/assert.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { EDGE_KINDS, type EdgeKind, featureOwner } from './graph.ts';
import { type DependencyTree, isShownBelowRoots } from './dependency-tree.ts';

/**
 * The whole document of `tree --json`. Fields may be added; any other change increases `version`. `docs/tree.md` repeats
 * these types, with the keys of the JSON.
 */
export interface TreeDocument {
  readonly version: 1;
  /** Indexes into `nodes` of the roots of the trees, in order. */
  readonly roots: readonly number[];
  /** Everything that the roots lead to, once each. */
  readonly nodes: readonly TreeNodeEntry[];
  /** Sorted by `from`, then in print order. */
  readonly edges: readonly TreeEdgeEntry[];
  /** Packages that are built more than once, sorted by name. */
  readonly duplicates: readonly TreeDuplicateEntry[];
}

/** One node: a package as it is built, or a feature of one. */
export type TreeNodeEntry = TreePackageEntry | TreeFeatureEntry;

/** A package, with one entry for each set of features and each platform that it is built for. */
export interface TreePackageEntry {
  readonly kind: 'package';
  /** The package ID as `metadata` prints it. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Activated features, sorted. */
  readonly features: readonly string[];
  /** The target that the package is built for; null for the host. */
  readonly target: string | null;
  readonly procMacro: boolean;
  readonly workspaceMember: boolean;
}

/** A feature; only with `--edges features`. */
export interface TreeFeatureEntry {
  readonly kind: 'feature';
  readonly name: string;
  /** The ID of the package that the feature belongs to. */
  readonly id: string;
  /** True if the command line requests the feature. */
  readonly commandLine: boolean;
}

/** One edge. In an inverted tree it leads from a dependency to its dependent. */
export interface TreeEdgeEntry {
  /** Index into `nodes`. */
  readonly from: number;
  /** Index into `nodes`. */
  readonly to: number;
  readonly kind: EdgeKind;
}

/** Builds of one name that differ in version, source or features. */
export interface TreeDuplicateEntry {
  readonly name: string;
  /** Indexes into `nodes`. */
  readonly nodes: readonly number[];
}

/** The limits of the document. */
export interface DocumentOptions {
  /** The maximum number of levels below the roots. */
  readonly maxDepth: number;
  /** True if only workspace members are listed below the roots. */
  readonly membersOnly: boolean;
}

const EVERYTHING: DocumentOptions = { maxDepth: Number.POSITIVE_INFINITY, membersOnly: false };

/** Returns the document of a dependency tree; an empty document for null. */
export function treeDocument(
  dependencyTree: DependencyTree | null,
  options: DocumentOptions = EVERYTHING,
): TreeDocument {
  if (dependencyTree === null) return { version: 1, roots: [], nodes: [], edges: [], duplicates: [] };
  const { graph } = dependencyTree;
  const order = reachedNodes(dependencyTree, options);
  const indexes = new Map(order.map((node, index) => [node, index]));
  /** Returns the index in the document, in a list; an empty list for a node beyond the limits. */
  const indexOf = (node: number): readonly number[] => {
    const index = indexes.get(node);
    return index === undefined ? [] : [index];
  };
  const edges = order.flatMap((node, from) =>
    EDGE_KINDS.flatMap((kind) =>
      graph.targets(node, kind).flatMap((target) => indexOf(target).map((to) => ({ from, to, kind }))),
    ),
  );
  const nodes = order.map((node) => describeNode(dependencyTree, node));
  return {
    version: 1,
    roots: dependencyTree.roots.flatMap(indexOf),
    nodes,
    edges,
    duplicates: duplicatesOf(nodes),
  };
}

/** Returns the nodes within the limits, level by level from the roots. */
function reachedNodes(dependencyTree: DependencyTree, options: DocumentOptions): readonly number[] {
  const { graph } = dependencyTree;
  const reached = new Set(dependencyTree.roots);
  let level: readonly number[] = dependencyTree.roots;
  for (let depth = 1; depth <= options.maxDepth && level.length > 0; depth += 1) {
    const next: number[] = [];
    for (const from of level) {
      for (const to of EDGE_KINDS.flatMap((kind) => graph.targets(from, kind))) {
        if (reached.has(to) || !isShownBelowRoots(dependencyTree, to, options)) continue;
        reached.add(to);
        next.push(to);
      }
    }
    level = next;
  }
  return Array.from(reached);
}

/** Returns the entry of a node. */
function describeNode(dependencyTree: DependencyTree, index: number): TreeNodeEntry {
  const { graph, packageAt, targets, isMember } = dependencyTree;
  const node = present(graph.nodes[index], 'a node of the tree');
  if (node.kind === 'package') {
    const { id, name, version, isProcMacro } = packageAt(node.package);
    return {
      kind: 'package',
      id,
      name,
      version,
      features: node.features,
      target: targets[node.target] ?? null,
      procMacro: isProcMacro,
      workspaceMember: isMember(node.package),
    };
  }
  const { id } = packageAt(featureOwner(graph.nodes, node).package);
  return { kind: 'feature', name: node.name, id, commandLine: graph.commandLineFeatures.has(index) };
}

/** Finds duplicates by the same rule as `findDuplicates`. */
function duplicatesOf(nodes: readonly TreeNodeEntry[]): readonly TreeDuplicateEntry[] {
  const byName = new Map<string, { readonly builds: Set<string>; readonly nodes: number[] }>();
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'feature') continue;
    const sameName = byName.get(node.name) ?? { builds: new Set(), nodes: [] };
    byName.set(node.name, sameName);
    sameName.builds.add(`${node.id} ${node.features.join(',')}`);
    sameName.nodes.push(index);
  }
  const duplicates: TreeDuplicateEntry[] = [];
  for (const [name, sameName] of byName) {
    if (sameName.builds.size > 1) duplicates.push({ name, nodes: sameName.nodes });
  }
  return duplicates.sort((a, b) => compareBytes(a.name, b.name));
}
