/** The graph that `tree` shows: packages as they are built, with features between them. Cargo Book: cargo tree. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { compareBytes } from '../files/compare-bytes.ts';

/** The kinds of edges, in the order in which a node's edges are printed. */
export const EDGE_KINDS = ['normal', 'build', 'dev', 'feature'] as const;

/** The reason for an edge: a kind of dependency, or a feature that enables something. */
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** The target of a package that is built for the host. */
export const HOST = -1;

/** A package, with one node for each set of features and each platform that it is built for. */
export interface PackageNode {
  readonly kind: 'package';
  /** Index into the packages of the resolution. */
  readonly package: number;
  /** Sorted bytewise. */
  readonly features: readonly string[];
  /** The index into the requested targets; `HOST` for the host. */
  readonly target: number;
}

/** A feature of a package. */
export interface FeatureNode {
  readonly kind: 'feature';
  /** Index of the package's node. */
  readonly of: number;
  readonly name: string;
}

/** A node of the graph. */
export type TreeNode = PackageNode | FeatureNode;

/** Returns the node of the package that a feature belongs to. */
export function featureOwner(nodes: readonly TreeNode[], { of }: FeatureNode): PackageNode {
  const owner = present(nodes[of], 'the package of a feature');
  if (owner.kind === 'package') return owner;
  throw new TsregError('a feature belongs to a feature', { code: 'bug' });
}

/** The targets of a node's edges, by kind. */
type Edges = Partial<Record<EdgeKind, number[]>>;

/** Nodes by index, and the edges between them. */
export class TreeGraph {
  readonly nodes: TreeNode[] = [];
  /** The indexes of feature nodes that the command line requests. */
  readonly commandLineFeatures = new Set<number>();
  /** By node. */
  #edges: Edges[] = [];
  /** The indexes of nodes, by `keyOf`. */
  readonly #indexes = new Map<string, number>();

  /** Returns the index of a node; null if the graph does not contain it. */
  find(node: TreeNode): number | null {
    return this.#indexes.get(keyOf(node)) ?? null;
  }

  /** Adds a node that the graph does not contain yet. Returns its index. */
  add(node: TreeNode): number {
    const index = this.nodes.length;
    this.nodes.push(node);
    this.#edges.push({});
    this.#indexes.set(keyOf(node), index);
    return index;
  }

  /** Adds an edge unless it exists. */
  connect(from: number, to: number, kind: EdgeKind): void {
    const edges = present(this.#edges[from], 'a node of the tree');
    const targets = (edges[kind] ??= []);
    if (!targets.includes(to)) targets.push(to);
  }

  /** Returns the targets of a node's edges of one kind, in print order. */
  targets(from: number, kind: EdgeKind): readonly number[] {
    const targets = this.#edges[from]?.[kind];
    return targets === undefined ? [] : this.sorted(targets);
  }

  /** Returns true if the node has edges. */
  hasEdges(from: number): boolean {
    const edges = this.#edges[from];
    return edges !== undefined && EDGE_KINDS.some((kind) => edges[kind] !== undefined);
  }

  /** Returns nodes in order: packages by package, features and platform, then features by package and name. */
  sorted(indexes: readonly number[]): readonly number[] {
    return indexes.length < 2 ? indexes : indexes.toSorted((a, b) => this.#compare(a, b));
  }

  /** Returns the package nodes for which `isWanted` returns true, sorted. */
  packageNodes(isWanted: (packageIndex: number) => boolean): readonly number[] {
    const packageNodes: number[] = [];
    for (const [index, node] of this.nodes.entries()) {
      if (node.kind === 'package' && isWanted(node.package)) packageNodes.push(index);
    }
    return this.sorted(packageNodes);
  }

  /** Reverses every edge. */
  invert(): void {
    const before = this.#edges;
    this.#edges = before.map(() => ({}));
    for (const [from, edges] of before.entries()) {
      for (const kind of EDGE_KINDS) for (const to of edges[kind] ?? []) this.connect(to, from, kind);
    }
  }

  /** Removes the edges of all nodes that `roots` do not lead to. Returns the nodes that they lead to. */
  keepReachable(roots: readonly number[]): ReadonlySet<number> {
    const reached = new Set(roots);
    // The loop also visits the nodes that it adds.
    for (const from of reached) {
      const edges = present(this.#edges[from], 'a node of the tree');
      for (const kind of EDGE_KINDS) for (const to of edges[kind] ?? []) reached.add(to);
    }
    this.#edges = this.#edges.map((edges, index) => (reached.has(index) ? edges : {}));
    return reached;
  }

  #compare(left: number, right: number): number {
    const a = present(this.nodes[left], 'a node of the tree');
    const b = present(this.nodes[right], 'a node of the tree');
    if (a.kind === 'feature') {
      return b.kind === 'package' ? 1 : a.of - b.of || compareBytes(a.name, b.name);
    }
    if (b.kind === 'feature') return -1;
    return a.package - b.package || compareLists(a.features, b.features) || a.target - b.target;
  }
}

/** Returns a key that is equal for equal nodes only. */
function keyOf(node: TreeNode): string {
  return node.kind === 'package'
    ? `${node.package} ${node.target} ${node.features.join(',')}`
    : `feature ${node.of} ${node.name}`;
}

/** Compares pair by pair. Of two equal starts, the shorter list comes first. */
function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareBytes(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
