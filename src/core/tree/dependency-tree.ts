/** The result of `tree`: a graph and its starting nodes. */
import type { EdgeKind, TreeNode } from './graph.ts';

/** The properties of a package that can be shown. */
export interface ShownPackage {
  readonly name: string;
  readonly version: string;
  /** `name v1.0.0`, with `(proc-macro)` for a procedural macro, and with the source if it is not crates.io. */
  readonly title: string;
  /** The package ID as `metadata` prints it. */
  readonly id: string;
  readonly isProcMacro: boolean;
  readonly license: string | null;
  readonly repository: string | null;
  /** The name of the library in code; null if there is no library. */
  readonly libraryName: string | null;
}

/** The part of a graph that is shown. */
export interface ShownGraph {
  readonly nodes: readonly TreeNode[];
  /** Feature nodes that the command line requests. */
  readonly commandLineFeatures: ReadonlySet<number>;
  /** Returns the targets of a node's edges of one kind, in print order. */
  readonly targets: (from: number, kind: EdgeKind) => readonly number[];
  /** Returns true if the node has edges. */
  readonly hasEdges: (from: number) => boolean;
}

/** A dependency tree with everything that printing needs. */
export interface DependencyTree {
  readonly graph: ShownGraph;
  /** The starting nodes, in order. */
  readonly roots: readonly number[];
  /** Target triples that nodes refer to. */
  readonly targets: readonly string[];
  /** Returns a package by the index in its nodes. */
  readonly packageAt: (packageIndex: number) => ShownPackage;
  readonly isMember: (packageIndex: number) => boolean;
  /** Returns true for a package that is hidden below the roots. */
  readonly isPruned: (packageIndex: number) => boolean;
}

/** Returns true if a node may be shown below the roots: unless it is a pruned package, or `membersOnly` excludes it. */
export function isShownBelowRoots(
  { graph, isMember, isPruned }: DependencyTree,
  index: number,
  { membersOnly }: { readonly membersOnly: boolean },
): boolean {
  const node = graph.nodes[index];
  if (node?.kind !== 'package') return true;
  return !isPruned(node.package) && (!membersOnly || isMember(node.package));
}
