import type { Summary } from '../summary/summary.ts';
import type { ConflictReason } from './conflict-cache.ts';
import type { Node, Nodes } from './node.ts';
import type { State } from './state.ts';

/** The remaining candidates of a dependency. Holds one back, to know whether there is another. */
export class RemainingCandidates {
  readonly #list: readonly Summary[];
  #at: number;
  #heldBack: Node | null;

  constructor(list: readonly Summary[], at: number, heldBack: Node | null) {
    this.#list = list;
    this.#at = at;
    this.#heldBack = heldBack;
  }

  copy(): RemainingCandidates {
    return new RemainingCandidates(this.#list, this.#at, this.#heldBack);
  }

  /**
   * Returns the next candidate that can be active with the active packages; null at the end. Adds conflicts to
   * `conflict`.
   */
  next(
    nodes: Nodes,
    state: State,
    conflict: Map<Node, ConflictReason>,
  ): { readonly node: Node; readonly hasAnother: boolean } | null {
    for (let summary = this.#list[this.#at]; summary !== undefined; summary = this.#list[this.#at]) {
      this.#at++;
      const node = nodes.of(summary);
      const inSlot = state.inSlot(node.slot);
      if (inSlot !== undefined && inSlot !== node) {
        if (!conflict.has(inSlot)) conflict.set(inSlot, { kind: 'semver' });
        continue;
      }
      const linking = state.linking(node.link);
      if (linking !== undefined && linking !== node) {
        if (!conflict.has(linking)) conflict.set(linking, { kind: 'links', links: summary.links ?? '' });
        continue;
      }
      const heldBack = this.#heldBack;
      this.#heldBack = node;
      if (heldBack !== null) return { node: heldBack, hasAnother: true };
    }
    const last = this.#heldBack;
    this.#heldBack = null;
    return last === null ? null : { node: last, hasAnother: false };
  }
}
