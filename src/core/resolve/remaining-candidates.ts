/** The candidates that a search has not tried yet. As in cargo's `RemainingCandidates`. */
import { present } from '../errors/assert.ts';
import type { Summary } from '../summary/summary.ts';
import type { ConflictReason } from './conflict-cache.ts';
import type { Node, Nodes } from './node.ts';
import type { State } from './state.ts';

/** The remaining candidates of a dependency. Finds each one in advance, to know whether there is another. */
export class RemainingCandidates {
  readonly #candidates: readonly Summary[];
  /** Index of the next candidate to check. */
  #next: number;
  /** The candidate that `next` returns next, once it is known whether there is another. */
  #pending: Node | null;

  constructor(candidates: readonly Summary[], next = 0, pending: Node | null = null) {
    this.#candidates = candidates;
    this.#next = next;
    this.#pending = pending;
  }

  /** Returns the same candidates, for a point to which the search may return. */
  copy(): RemainingCandidates {
    return new RemainingCandidates(this.#candidates, this.#next, this.#pending);
  }

  /**
   * Returns the next candidate that can be active with the active packages; null at the end. Adds the conflicts of
   * skipped candidates to `conflict`.
   */
  next(
    nodes: Nodes,
    state: State,
    conflict: Map<Node, ConflictReason>,
  ): { readonly node: Node; readonly hasAnother: boolean } | null {
    while (this.#next < this.#candidates.length) {
      const summary = present(this.#candidates[this.#next], 'a candidate');
      this.#next++;
      const node = nodes.of(summary);
      const inSlot = state.inSlot(node.slot);
      if (inSlot !== undefined && inSlot !== node) {
        if (!conflict.has(inSlot)) conflict.set(inSlot, { kind: 'semver' });
        continue;
      }
      const linking = state.linking(node.link);
      if (linking !== undefined && linking !== node) {
        const links = present(node.summary.links, 'the `links` value of a package');
        if (!conflict.has(linking)) conflict.set(linking, { kind: 'links', links });
        continue;
      }
      const pending = this.#pending;
      this.#pending = node;
      if (pending !== null) return { node: pending, hasAnother: true };
    }
    const last = this.#pending;
    this.#pending = null;
    return last === null ? null : { node: last, hasAnother: false };
  }
}
