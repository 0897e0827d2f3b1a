/**
 * Activation without a search. `Search` (`solve.ts`) can take back each choice, so it checks for conflicts at each step
 * and records how to undo it. The callers of this walk need none of that: for each dependency they know a package at
 * once, and if the walk or `resolutionOf` fails, they leave the problem, and its error, to `Search`.
 */
import {
  activateRoot,
  hasRequested,
  isProblem,
  type Activation,
  type ActivationProblem,
} from './activation.ts';
import type { Summary } from '../summary/summary.ts';
import type { Candidates } from './candidates.ts';
import type { ActiveGraph } from './finish-resolution.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { Nodes, type Node } from './node.ts';
import type { ParentEdge } from './state.ts';

const NO_FEATURES: ReadonlySet<string> = new Set();
const NO_PARENTS: readonly ParentEdge[] = [];

/** Returns the package for a dependency of `parent`; null if only a search can determine it. */
export type Choose = (dependency: LockedDependency, parent: Node) => Summary | null;

/**
 * Activates packages, starting with the members, and uses `choose` for each dependency. `choose` gets those of members
 * first. Features are only added, so the order of activations does not matter. Does not check whether packages can be
 * active together: `resolutionOf` does.
 */
export class DirectActivation implements ActiveGraph {
  readonly nodes: Nodes;
  readonly candidates: Candidates;
  readonly #choose: Choose;
  readonly #active = new Set<Node>();
  /** By `Node.ix`, as is `#parents`. */
  readonly #features: (Set<string> | undefined)[] = [];
  readonly #parents: (ParentEdge[] | undefined)[] = [];
  /** Activations whose dependencies have no package yet. Nothing is removed. */
  readonly #queue: { readonly node: Node; readonly activation: Activation }[] = [];

  constructor(candidates: Candidates, choose: Choose) {
    this.nodes = new Nodes(candidates.problem);
    this.candidates = candidates;
    this.#choose = choose;
  }

  /** Activates all packages. Call it once. Returns false if a package lacks a feature, or if `choose` returns null. */
  run(): boolean {
    for (const { summary, requested } of this.candidates.problem.roots) {
      const node = this.nodes.of(summary);
      if (!this.#enqueue(node, activateRoot(node, requested))) return false;
    }
    // The loop body appends to the queue.
    for (const { node, activation } of this.#queue) {
      if (!this.#visit(node, activation)) return false;
    }
    return true;
  }

  /** Returns every active package. After a failed `run`, some are missing. */
  activeNodes(): ReadonlySet<Node> {
    return this.#active;
  }

  featuresOf(node: Node): ReadonlySet<string> {
    return this.#features[node.ix] ?? NO_FEATURES;
  }

  parentsOf(node: Node): readonly ParentEdge[] {
    return this.#parents[node.ix] ?? NO_PARENTS;
  }

  /** Chooses the packages for the dependencies of an activation. Returns false if that fails. */
  #visit(node: Node, activation: Activation): boolean {
    for (const { dependency, features } of activation.dependencies) {
      const chosen = this.#choose(dependency, node);
      if (chosen === null) return false;
      const target = this.nodes.of(chosen);
      this.#addParent(target, node, dependency);
      const request = { features, default: dependency.declared.defaultFeatures };
      if (this.#active.has(target) && hasRequested(this.featuresOf(target), request, target)) continue;
      if (!this.#enqueue(target, this.nodes.activation(target, request, dependency.source))) return false;
    }
    return true;
  }

  /** Adds the features of an activation to a node, and queues its dependencies. Returns false for a problem. */
  #enqueue(node: Node, activation: Activation | ActivationProblem): boolean {
    if (isProblem(activation)) return false;
    this.#active.add(node);
    const features = (this.#features[node.ix] ??= new Set<string>());
    for (const feature of activation.features) features.add(feature);
    this.#queue.push({ node, activation });
    return true;
  }

  /** Adds an edge from `parent` to `node`, or a declaration to that edge. */
  #addParent(node: Node, parent: Node, dependency: LockedDependency): void {
    const edges = (this.#parents[node.ix] ??= []);
    const last = edges[edges.length - 1];
    const edge = last?.parent === parent ? last : edges.find((known) => known.parent === parent);
    if (edge === undefined) edges.push({ parent, dependencies: [dependency] });
    else if (!edge.dependencies.includes(dependency)) edge.dependencies.push(dependency);
  }
}
