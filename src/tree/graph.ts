/** The graph that `tree` shows: packages as they are built, and features between them. Cargo Book: cargo tree. */
import { compareBytes } from '../files/compare-bytes.ts';
import type { DependencyKind } from '../summary/summary.ts';

/** Sections of a node's edges, in the order in which they are printed. */
export const EDGE_KINDS = ['normal', 'build', 'dev', 'feature'] as const;

/** Why one node leads to another: a kind of dependency, or a feature that enables something. */
export type EdgeKind = DependencyKind | 'feature';

/** A package, once for each set of features and each platform that it is built for. */
export interface PackageNode {
  readonly kind: 'package';
  /** Index into the packages of the resolution. */
  readonly package: number;
  /** Sorted bytewise. */
  readonly features: readonly string[];
  /** Index into the targets that were asked for; -1 for the host. */
  readonly target: number;
}

/** A feature of a package. */
export interface FeatureNode {
  readonly kind: 'feature';
  /** Index of the package's node. */
  readonly of: number;
  readonly name: string;
}

/** One node. */
export type TreeNode = PackageNode | FeatureNode;

type Edges = Partial<Record<EdgeKind, number[]>>;

/** Nodes by index, and the edges between them. */
export class TreeGraph {
  readonly nodes: TreeNode[] = [];
  /** Feature nodes that the command line asks for. */
  readonly commandLineFeatures = new Set<number>();
  #edges: Edges[] = [];
  readonly #indexes = new Map<string, number>();

  /** The index of a node; null if it is not there. */
  find(node: TreeNode): number | null {
    return this.#indexes.get(keyOf(node)) ?? null;
  }

  /** Adds a node that is not there yet; returns its index. */
  add(node: TreeNode): number {
    const index = this.nodes.length;
    this.nodes.push(node);
    this.#edges.push({});
    this.#indexes.set(keyOf(node), index);
    return index;
  }

  /** Adds an edge, unless it is there. */
  connect(from: number, to: number, kind: EdgeKind): void {
    const edges = this.#edges[from];
    if (edges === undefined) return;
    const targets = (edges[kind] ??= []);
    if (!targets.includes(to)) targets.push(to);
  }

  /** What a node leads to over edges of one kind, in the order in which it is printed. */
  targets(from: number, kind: EdgeKind): readonly number[] {
    const targets = this.#edges[from]?.[kind];
    return targets === undefined ? [] : this.sorted(targets);
  }

  /** True if the node leads to anything. */
  hasEdges(from: number): boolean {
    const edges = this.#edges[from];
    return edges !== undefined && EDGE_KINDS.some((kind) => edges[kind] !== undefined);
  }

  /** Nodes by package, features and platform; behind them features by package and name. */
  sorted(indexes: readonly number[]): readonly number[] {
    return indexes.length < 2 ? indexes : indexes.toSorted((a, b) => this.#compare(a, b));
  }

  /** The nodes of packages for which `isWanted` holds, sorted. */
  packageNodes(isWanted: (packageIndex: number) => boolean): readonly number[] {
    const found: number[] = [];
    for (const [index, node] of this.nodes.entries()) {
      if (node.kind === 'package' && isWanted(node.package)) found.push(index);
    }
    return this.sorted(found);
  }

  /** Turns every edge around. */
  invert(): void {
    const before = this.#edges;
    this.#edges = before.map(() => ({}));
    for (const [from, edges] of before.entries()) {
      for (const kind of EDGE_KINDS) for (const to of edges[kind] ?? []) this.connect(to, from, kind);
    }
  }

  /** Takes away the edges of all nodes that `roots` do not lead to; returns the nodes that they do. */
  keepReachable(roots: readonly number[]): ReadonlySet<number> {
    const reached = new Set(roots);
    // Grows while it is gone through.
    for (const from of reached) {
      for (const kind of EDGE_KINDS) for (const to of this.#edges[from]?.[kind] ?? []) reached.add(to);
    }
    this.#edges = this.#edges.map((edges, index) => (reached.has(index) ? edges : {}));
    return reached;
  }

  #compare(left: number, right: number): number {
    const a = this.nodes[left];
    const b = this.nodes[right];
    if (a === undefined || b === undefined) return 0;
    if (a.kind === 'feature') {
      return b.kind === 'package' ? 1 : a.of - b.of || compareBytes(a.name, b.name);
    }
    if (b.kind === 'feature') return -1;
    return a.package - b.package || compareLists(a.features, b.features) || a.target - b.target;
  }
}

function keyOf(node: TreeNode): string {
  return node.kind === 'package'
    ? `${node.package} ${node.target} ${node.features.join(',')}`
    : `feature ${node.of} ${node.name}`;
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareBytes(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
