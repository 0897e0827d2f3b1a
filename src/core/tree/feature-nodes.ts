/** Features as nodes of the graph that `tree` shows. Cargo Book: cargo tree, `--edges features`. */
import { present } from '../errors/assert.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';
import type { FeatureValue, Summary } from '../summary/summary.ts';
import { type EdgeKind, featureOwner, type TreeGraph } from './graph.ts';
import { visitDepthFirst } from './visit-depth-first.ts';

/** A package that another one depends on under a name. */
export interface NamedDependency {
  /** The index of the dependency's package node. */
  readonly node: number;
  readonly isOptional: boolean;
}

/** The dependencies of every shown package, by their names in its manifest. */
export class DependencyNames {
  readonly #byNode = new Map<number, Map<string, NamedDependency[]>>();

  /** Adds a dependency that the package at the node `from` calls `name`. */
  add(from: number, name: string, dependency: NamedDependency): void {
    const names = this.#byNode.get(from) ?? new Map<string, NamedDependency[]>();
    this.#byNode.set(from, names);
    const known = names.get(name);
    if (known === undefined) {
      names.set(name, [dependency]);
      return;
    }
    const isKnown = known.some(
      ({ node, isOptional }) => node === dependency.node && isOptional === dependency.isOptional,
    );
    if (!isKnown) known.push(dependency);
  }

  /** Returns all shown dependencies that the package at the node `from` calls `name`. */
  get(from: number, name: string): readonly NamedDependency[] {
    return this.#byNode.get(from)?.get(name) ?? [];
  }
}

/** A feature node between two others. */
export interface FeatureLink {
  readonly name: string;
  /** The index of the node that enables the feature; null if no node does. */
  readonly from: number | null;
  /** The index of the package node that the feature belongs to. */
  readonly of: number;
  /** The kind of the edge that leads to the feature. */
  readonly kind: EdgeKind;
}

/** Adds a feature between two nodes. Returns its index, and whether it is new. */
export function addFeature(
  graph: TreeGraph,
  { name, from, of, kind }: FeatureLink,
): { readonly node: number; readonly isNew: boolean } {
  const feature = { kind: 'feature', of, name } as const;
  const known = graph.find(feature);
  const node = known ?? graph.add(feature);
  if (from !== null) graph.connect(from, node, kind);
  graph.connect(node, of, 'feature');
  return { node, isNew: known === null };
}

/** Adds the features that the command line requests of the member at `node`. No edge leads to them. */
export function addCommandLineFeatures(
  graph: TreeGraph,
  node: number,
  {
    summary,
    requested,
    names,
  }: {
    readonly summary: Summary;
    readonly requested: RequestedFeatures;
    readonly names: DependencyNames;
  },
): void {
  const toValue = (feature: string): FeatureValue => ({ kind: 'feature', feature });
  const add = (name: string, of: number): void => {
    graph.commandLineFeatures.add(addFeature(graph, { name, from: null, of, kind: 'feature' }).node);
  };
  const values = [
    ...(requested.all ? Array.from(summary.features.keys(), toValue) : []),
    ...(requested.default ? [toValue('default')] : []),
    ...requested.features,
  ];
  for (const value of values) {
    if (value.kind === 'feature') add(value.feature, node);
    if (value.kind !== 'dep-feature') continue;
    for (const dependency of names.get(node, value.dep)) {
      if (dependency.isOptional) add(value.dep, node);
      add(value.feature, dependency.node);
    }
  }
}

/** Adds the features that each feature of the graph enables, and everything that follows from them. */
export function addInnerFeatures(
  graph: TreeGraph,
  names: DependencyNames,
  summaryOf: (packageIndex: number) => Summary | null,
): void {
  /** Adds an edge to a feature. Returns its node in a list; an empty list if the graph had it. */
  const enable = (from: number, name: string, of: number): readonly number[] => {
    const { node, isNew } = addFeature(graph, { name, from, of, kind: 'feature' });
    return isNew ? [node] : [];
  };
  /** Enables what the feature at the node `from` enables. Yields each new feature, to be expanded at once. */
  function* expand(from: number): Generator<number> {
    const node = present(graph.nodes[from], 'a node of the tree');
    if (node.kind === 'package') return;
    const summary = summaryOf(featureOwner(graph.nodes, node).package);
    for (const value of summary?.features.get(node.name) ?? []) {
      if (value.kind === 'feature') yield* enable(from, value.feature, node.of);
      if (value.kind !== 'dep-feature') continue;
      for (const { node: dependency, isOptional } of names.get(node.of, value.dep)) {
        // Like cargo, does not expand this feature here.
        if (isOptional && !value.weak)
          addFeature(graph, { name: value.dep, from, of: node.of, kind: 'feature' });
        yield* enable(from, value.feature, dependency);
      }
    }
  }
  // A copy of the indexes, without the nodes that are added now: these are expanded at once.
  for (const index of Array.from(graph.nodes.keys())) visitDepthFirst(index, expand);
}
