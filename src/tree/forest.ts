/** What `tree` found: a graph, and where to start in it. */
import type { EdgeKind, TreeNode } from './graph.ts';

/** What is shown of a package. */
export interface ShownPackage {
  readonly name: string;
  readonly version: string;
  /** `name v1.0.0`, with `(proc-macro)` for a procedural macro and the source where it is not crates.io. */
  readonly title: string;
  /** Package id, as `metadata` prints it. */
  readonly id: string;
  readonly isProcMacro: boolean;
  readonly license: string | null;
  readonly repository: string | null;
  /** As code refers to it; null if there is no library. */
  readonly libraryName: string | null;
}

/** A graph as far as it is shown. */
export interface ShownGraph {
  readonly nodes: readonly TreeNode[];
  /** Feature nodes that the command line asks for. */
  readonly commandLineFeatures: ReadonlySet<number>;
  /** What a node leads to over edges of one kind, in the order in which it is printed. */
  readonly targets: (from: number, kind: EdgeKind) => readonly number[];
  /** True if the node leads to anything. */
  readonly hasEdges: (from: number) => boolean;
}

/** A graph with everything that is asked of it when it is printed. */
export interface Forest {
  readonly graph: ShownGraph;
  /** Nodes to start from, in order. */
  readonly roots: readonly number[];
  /** Target triples that nodes refer to. */
  readonly targets: readonly string[];
  /** A package by the index that nodes refer to. */
  readonly packages: (packageIndex: number) => ShownPackage;
  readonly isMember: (packageIndex: number) => boolean;
  /** True for a package that is hidden below the roots. */
  readonly isPruned: (packageIndex: number) => boolean;
}
