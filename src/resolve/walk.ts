import type { Summary } from '../summary/summary.ts';
import {
  activateRoot,
  isProblem,
  type Activation,
  type ActivationProblem,
  type DependencyRequest,
} from './activation.ts';
import { Candidates, isWant } from './candidates.ts';
import type { ActiveGraph } from './finish-resolution.ts';
import { describePathTo } from './describe-path.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { Nodes, type Node } from './node.ts';
import type { Problem, RequiredWant, SummaryTable, Want } from './problem.ts';
import type { ParentEdge } from './state.ts';

/** How a walk goes on from a dependency: to a package, past it, or not at all. */
export type Step = Summary | 'skip' | 'stop';

const NO_FEATURES: ReadonlySet<string> = new Set();
const NO_PARENTS: readonly ParentEdge[] = [];

/**
 * Activates packages from the members on, taking one candidate for each dependency and never coming back.
 * Features add up, so the order of activations does not matter.
 */
export class Walk implements ActiveGraph {
  readonly nodes: Nodes;
  readonly candidates: Candidates;
  /** What the table lacked, each once. */
  readonly wants = new Map<string, RequiredWant>();
  readonly #choose: (dependency: LockedDependency, candidates: readonly Summary[]) => Step;
  readonly #active = new Set<Node>();
  readonly #features: (Set<string> | undefined)[] = [];
  readonly #parents: (ParentEdge[] | undefined)[] = [];
  readonly #queue: { readonly node: Node; readonly activation: Activation }[] = [];

  constructor(
    problem: Problem,
    table: SummaryTable,
    choose: (dependency: LockedDependency, candidates: readonly Summary[]) => Step,
  ) {
    this.nodes = new Nodes(problem);
    this.candidates = new Candidates(problem, table);
    this.#choose = choose;
  }

  /** False if a package lacks a feature, or `choose` said stop. */
  run(): boolean {
    for (const { summary, requested } of this.candidates.problem.roots) {
      const node = this.nodes.of(summary);
      if (!this.#enqueue(node, activateRoot(node, requested))) return false;
    }
    // Grows while it is gone through: what is wanted is named in the order in which cargo asks for it.
    for (const { node, activation } of this.#queue) {
      if (!this.#visit(node, activation)) return false;
    }
    return true;
  }

  activeNodes(): ReadonlySet<Node> {
    return this.#active;
  }

  featuresOf(node: Node): ReadonlySet<string> {
    return this.#features[node.ix] ?? NO_FEATURES;
  }

  parentsOf(node: Node): readonly ParentEdge[] {
    return this.#parents[node.ix] ?? NO_PARENTS;
  }

  #visit(node: Node, activation: Activation): boolean {
    for (const { dependency, features } of activation.dependencies) {
      const candidates = this.candidates.query(dependency);
      if (isWant(candidates)) {
        this.#want(candidates, node);
        continue;
      }
      const chosen = this.#choose(dependency, candidates);
      if (chosen === 'stop') return false;
      if (chosen === 'skip') continue;
      const target = this.nodes.of(chosen);
      this.#link(target, node, dependency);
      const request = { features, default: dependency.declared.defaultFeatures };
      if (this.#active.has(target) && !this.#isNew(target, request)) continue;
      if (!this.#enqueue(target, this.nodes.activation(target, request, dependency.source))) return false;
    }
    return true;
  }

  #want(want: Want, parent: Node): void {
    const key = `${want.name} ${want.source.ix}`;
    if (this.wants.has(key)) return;
    const describe = (): string => describePathTo(parent, this);
    this.wants.set(key, {
      ...want,
      get requiredBy() {
        return describe();
      },
    });
  }

  #enqueue(node: Node, activation: Activation | ActivationProblem): boolean {
    if (isProblem(activation)) return false;
    this.#active.add(node);
    const features = (this.#features[node.ix] ??= new Set<string>());
    for (const feature of activation.features) features.add(feature);
    this.#queue.push({ node, activation });
    return true;
  }

  #isNew(node: Node, request: DependencyRequest): boolean {
    const active = this.featuresOf(node);
    if (request.default && !active.has('default') && node.summary.features.has('default')) return true;
    return !request.features.names.every((feature) => active.has(feature));
  }

  #link(node: Node, parent: Node, dependency: LockedDependency): void {
    const edges = (this.#parents[node.ix] ??= []);
    const last = edges[edges.length - 1];
    const edge = last?.parent === parent ? last : edges.find((known) => known.parent === parent);
    if (edge === undefined) edges.push({ parent, dependencies: [dependency] });
    else if (!edge.dependencies.includes(dependency)) edge.dependencies.push(dependency);
  }
}
