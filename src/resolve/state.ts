/** What is active at one point of the search, and the way back to earlier points. */
import type { ConflictMap } from './conflict-cache.ts';
import type { DependencyRequest } from './activation.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node } from './node.ts';
import type { FrameQueue } from './frame-queue.ts';

/** A package that depends on another, and how. */
export interface ParentEdge {
  readonly parent: Node;
  readonly dependencies: LockedDependency[];
}

/** A point to which the search can come back. */
export interface Checkpoint {
  readonly age: number;
  readonly undoLength: number;
  readonly queue: FrameQueue;
}

type Undo =
  | { readonly kind: 'slot'; readonly slot: number; readonly active: Active | undefined }
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'features'; readonly node: number; readonly features: ReadonlySet<string> | undefined }
  | { readonly kind: 'edge'; readonly edges: ParentEdge[] }
  | { readonly kind: 'dependency'; readonly edge: ParentEdge };

interface Active {
  readonly node: Node;
  readonly age: number;
}

const NO_FEATURES: ReadonlySet<string> = new Set();

/** The outcome of `State.flag`. */
export type Flagged =
  | { readonly kind: 'new' | 'more' | 'nothing-new' }
  /** Another package has its slot in the source that the dependency names. */
  | { readonly kind: 'conflict'; readonly with: Node }
  /** Another package links to the same library; that is no conflict to search around. */
  | { readonly kind: 'links-twice' };

/** Active packages, their features and their parents. Every change is undone by `restore`. */
export class State {
  /** Counts activations. */
  age = 0;
  readonly #slots: (Active | undefined)[] = [];
  readonly #links: (Node | undefined)[] = [];
  readonly #features: (ReadonlySet<string> | undefined)[] = [];
  readonly #parents: (ParentEdge[] | undefined)[] = [];
  readonly #undo: Undo[] = [];

  /** The point that is reached now, with the queue that belongs to it. */
  checkpoint(queue: FrameQueue): Checkpoint {
    return { age: this.age, undoLength: this.#undo.length, queue };
  }

  /** Goes back to an earlier point. */
  restore({ age, undoLength }: Checkpoint): void {
    this.age = age;
    while (this.#undo.length > undoLength) {
      const undo = this.#undo.pop();
      if (undo !== undefined) this.#revert(undo);
    }
  }

  /** The package that has a slot. */
  inSlot(slot: number): Node | undefined {
    return this.#slots[slot]?.node;
  }

  /** The package that links to a native library. */
  linking(link: number): Node | undefined {
    return link < 0 ? undefined : this.#links[link];
  }

  /** When `node` became active; null if it is not. */
  ageOf(node: Node): number | null {
    const active = this.#slots[node.slot];
    return active !== undefined && active.node === node ? active.age : null;
  }

  /** When the last of `parent` and the conflict became active; null if one of them is not. */
  conflictAge(parent: Node, conflict: ConflictMap): number | null {
    let max = this.ageOf(parent);
    if (max === null) return null;
    for (const node of conflict.keys()) {
      const age = this.ageOf(node);
      if (age === null) return null;
      if (age > max) max = age;
    }
    return max;
  }

  /** Activated features. */
  featuresOf(node: Node): ReadonlySet<string> {
    return this.#features[node.ix] ?? NO_FEATURES;
  }

  addFeatures(node: Node, features: ReadonlySet<string>): void {
    if (features.size === 0) return;
    const known = this.#features[node.ix];
    this.#undo.push({ kind: 'features', node: node.ix, features: known });
    this.#features[node.ix] = known === undefined ? features : new Set([...known, ...features]);
  }

  /** Packages that depend on `node`, in no particular order. */
  parentsOf(node: Node): readonly ParentEdge[] {
    return this.#parents[node.ix] ?? [];
  }

  addParent(node: Node, parent: Node, dependency: LockedDependency): void {
    const edges = (this.#parents[node.ix] ??= []);
    for (let i = edges.length - 1; i >= 0; i--) {
      const edge = edges[i];
      if (edge === undefined || edge.parent !== parent) continue;
      if (edge.dependencies.includes(dependency)) return;
      edge.dependencies.push(dependency);
      this.#undo.push({ kind: 'dependency', edge });
      return;
    }
    edges.push({ parent, dependencies: [dependency] });
    this.#undo.push({ kind: 'edge', edges });
  }

  /** Makes `node` active for a request (null: of the command line), by way of `patchedSlot` if not null. */
  flag(node: Node, request: DependencyRequest | null, patchedSlot: number | null): Flagged {
    if (this.#slots[node.slot] === undefined) {
      if (node.link >= 0) {
        if (this.#links[node.link] !== undefined) return { kind: 'links-twice' };
        this.#links[node.link] = node;
        this.#undo.push({ kind: 'link', link: node.link });
      }
      this.#occupy(node.slot, node);
      if (patchedSlot !== null) {
        const previous = this.#occupy(patchedSlot, node);
        if (previous !== undefined) return { kind: 'conflict', with: previous.node };
      }
      return { kind: 'new' };
    }
    if (request === null) return { kind: 'more' };
    const active = this.featuresOf(node);
    const hasDefault = !request.default || active.has('default') || !node.summary.features.has('default');
    return hasDefault && request.features.names.every((feature) => active.has(feature))
      ? { kind: 'nothing-new' }
      : { kind: 'more' };
  }

  /** Every active package, once. */
  activeNodes(): ReadonlySet<Node> {
    const nodes = new Set<Node>();
    for (const active of this.#slots) if (active !== undefined) nodes.add(active.node);
    return nodes;
  }

  #occupy(slot: number, node: Node): Active | undefined {
    const previous = this.#slots[slot];
    this.#slots[slot] = { node, age: this.age };
    this.#undo.push({ kind: 'slot', slot, active: previous });
    return previous;
  }

  #revert(undo: Undo): void {
    switch (undo.kind) {
      case 'slot':
        this.#slots[undo.slot] = undo.active;
        return;
      case 'link':
        this.#links[undo.link] = undefined;
        return;
      case 'features':
        this.#features[undo.node] = undo.features;
        return;
      case 'edge':
        undo.edges.pop();
        return;
      case 'dependency':
        undo.edge.dependencies.pop();
    }
  }
}
