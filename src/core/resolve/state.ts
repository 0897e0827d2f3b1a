/** The active packages at one point of the search, with undo. */
import { present } from '../errors/assert.ts';
import type { ConflictMap } from './conflict-cache.ts';
import { type DependencyRequest, hasRequested } from './activation.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node } from './node.ts';
import type { FrameQueue } from './frame-queue.ts';

/** A dependent of a package, with its declarations. */
export interface ParentEdge {
  readonly parent: Node;
  readonly dependencies: LockedDependency[];
}

/** A point to which the search can backtrack. */
export interface Checkpoint {
  readonly age: number;
  /** The number of changes that `State` had made. */
  readonly undoLength: number;
  readonly queue: FrameQueue;
}

/** A change, with what `State.restore` needs to undo it. */
type Undo =
  | { readonly kind: 'slot'; readonly slot: number; readonly active: Active | undefined }
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'features'; readonly node: number; readonly features: ReadonlySet<string> | undefined }
  | { readonly kind: 'edge'; readonly edges: ParentEdge[] }
  | { readonly kind: 'dependency'; readonly edge: ParentEdge };

/** The package in a slot, and the value of `State.age` when it became active. */
interface Active {
  readonly node: Node;
  readonly age: number;
}

const NO_FEATURES: ReadonlySet<string> = new Set();

/**
 * The result of `State.flag`: the package is newly active, gets more features, or already has all that is requested.
 */
export type FlagResult =
  | { readonly kind: 'new' | 'more' | 'nothing-new' }
  /** Another package has the slot in the source that the dependency names. */
  | { readonly kind: 'conflict'; readonly with: Node }
  /** Another package links to the same library. This is an error, not a conflict that the search avoids. */
  | { readonly kind: 'links-twice' };

/** Active packages with their features and dependents. `restore` undoes all changes since a checkpoint. */
export class State {
  /** Number of activations. The caller increases it before each one. */
  age = 0;
  /** By `Node.slot`. */
  readonly #slots: (Active | undefined)[] = [];
  /** By `Node.link`. */
  readonly #links: (Node | undefined)[] = [];
  /** By `Node.ix`, as is `#parents`. The sets are never changed, only replaced. */
  readonly #features: (ReadonlySet<string> | undefined)[] = [];
  readonly #parents: (ParentEdge[] | undefined)[] = [];
  /** All changes, oldest first. */
  readonly #undo: Undo[] = [];

  /** Returns the current point, with its queue. */
  checkpoint(queue: FrameQueue): Checkpoint {
    return { age: this.age, undoLength: this.#undo.length, queue };
  }

  /** Goes back to an earlier point. The caller restores its queue. */
  restore({ age, undoLength }: Checkpoint): void {
    this.age = age;
    while (this.#undo.length > undoLength) this.#revert(present(this.#undo.pop(), 'the last change'));
  }

  /** Returns the package in a slot; undefined if there is none. */
  inSlot(slot: number): Node | undefined {
    return this.#slots[slot]?.node;
  }

  /** Returns the package that links to a native library; undefined if there is none, or for -1. */
  linking(link: number): Node | undefined {
    return link < 0 ? undefined : this.#links[link];
  }

  /** Returns the age at which `node` became active; null if it is not active. */
  ageOf(node: Node): number | null {
    const active = this.#slots[node.slot];
    return active !== undefined && active.node === node ? active.age : null;
  }

  /** Returns the age of the youngest among `parent` and the conflict's packages; null if one is not active. */
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

  /** Returns the features of `node`; none if it is not active. */
  featuresOf(node: Node): ReadonlySet<string> {
    return this.#features[node.ix] ?? NO_FEATURES;
  }

  /** Adds features to an active package. Does not change `features`. */
  addFeatures(node: Node, features: ReadonlySet<string>): void {
    if (features.size === 0) return;
    const known = this.#features[node.ix];
    this.#undo.push({ kind: 'features', node: node.ix, features: known });
    this.#features[node.ix] = known === undefined ? features : new Set([...known, ...features]);
  }

  /** Returns the dependents of `node`, in no particular order. */
  parentsOf(node: Node): readonly ParentEdge[] {
    return this.#parents[node.ix] ?? [];
  }

  /** Adds an edge from `parent` to `node`, or a declaration to that edge. */
  addParent(node: Node, parent: Node, dependency: LockedDependency): void {
    const edges = (this.#parents[node.ix] ??= []);
    const edge = edges.findLast((known) => known.parent === parent);
    if (edge === undefined) {
      edges.push({ parent, dependencies: [dependency] });
      this.#undo.push({ kind: 'edge', edges });
    } else if (!edge.dependencies.includes(dependency)) {
      edge.dependencies.push(dependency);
      this.#undo.push({ kind: 'dependency', edge });
    }
  }

  /**
   * Activates `node` for a request; null means the command line. No other package may have its slot, which
   * `RemainingCandidates` checks. Does not add the features: see `addFeatures`. Also occupies `patchedSlot`, the slot in
   * the source that a patch replaces, if it is not null. As in cargo's `flag_activated`.
   */
  flag(node: Node, request: DependencyRequest | null, patchedSlot: number | null = null): FlagResult {
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
    return { kind: hasRequested(this.featuresOf(node), request, node) ? 'nothing-new' : 'more' };
  }

  /** Returns every active package once. */
  activeNodes(): ReadonlySet<Node> {
    const nodes = new Set<Node>();
    for (const active of this.#slots) if (active !== undefined) nodes.add(active.node);
    return nodes;
  }

  /** Puts a package into a slot. Returns the previous one. */
  #occupy(slot: number, node: Node): Active | undefined {
    const previous = this.#slots[slot];
    this.#slots[slot] = { node, age: this.age };
    this.#undo.push({ kind: 'slot', slot, active: previous });
    return previous;
  }

  /** Undoes the last change. So what it added to a list is still at the end of that list. */
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
