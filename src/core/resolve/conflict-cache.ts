/** Conflicts that the search found: packages with which a dependency cannot be satisfied. */
import { comparePackageIds } from '../package-id/package-id.ts';
import { dependencyKey } from './dependency-key.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node } from './node.ts';

/** The reason why a package conflicts with a candidate. */
export type ConflictReason =
  | { readonly kind: 'semver' }
  | { readonly kind: 'links'; readonly links: string }
  | {
      readonly kind: 'missing-feature' | 'required-dependency' | 'not-implicit-feature';
      readonly feature: string;
    };

/** The conflicting packages, each with the reason. */
export type ConflictMap = ReadonlyMap<Node, ConflictReason>;

/** Returns the age at which a package became active; null if it is not active. */
export type AgeOf = (node: Node) => number | null;

/**
 * Conflicts as paths from the root, each with its packages sorted by package ID. So a conflict is found without trying
 * all orders of its packages.
 */
interface Trie {
  /** The conflict whose packages are the path to here; null if there is none. */
  conflict: ConflictMap | null;
  /** Sorted by package ID. */
  readonly children: { readonly node: Node; readonly trie: Trie }[];
}

/** A conflict whose packages are all active. */
interface ActiveConflict {
  readonly conflict: ConflictMap;
  /** The age of the youngest of its packages below the searched trie, without `required`; 0 if there is none. */
  readonly age: number;
}

/** Limits of a search for a conflict. */
export interface ConflictQuery {
  /** A package that the conflict must contain, and whose own age does not count; null by default. */
  readonly required?: Node | null;
  /** All other packages of the conflict must be older: their age must be lower. No limit by default. */
  readonly maxAge?: number;
}

/** Known conflicts by dependency. They hold whatever other packages are active. */
export class ConflictCache {
  /** By `dependencyKey`. */
  readonly #byDependency = new Map<string, Trie>();
  /** Keys of the dependencies that have a conflict with each package. */
  readonly #dependenciesByNode = new Map<Node, Set<string>>();
  /** Results of `dependencyKey`. */
  readonly #keys = new Map<LockedDependency, string>();

  /** Stores that `dependency` cannot be satisfied while all of `conflict` is active. */
  insert(dependency: LockedDependency, conflict: ConflictMap): void {
    const key = this.#keyOf(dependency);
    let trie = this.#byDependency.get(key);
    if (trie === undefined) {
      trie = emptyTrie();
      this.#byDependency.set(key, trie);
    }
    for (const node of sortedNodes(conflict)) {
      trie = childOf(trie, node);
      const dependencies = this.#dependenciesByNode.get(node);
      if (dependencies === undefined) this.#dependenciesByNode.set(node, new Set([key]));
      else dependencies.add(key);
    }
    trie.conflict = conflict;
  }

  /** Returns the active conflict whose youngest package is oldest; null if there is none. */
  find(
    dependency: LockedDependency,
    ageOf: AgeOf,
    { required = null, maxAge = Number.MAX_SAFE_INTEGER }: ConflictQuery = {},
  ): ConflictMap | null {
    if (this.#byDependency.size === 0) return null;
    const trie = this.#byDependency.get(this.#keyOf(dependency));
    return trie === undefined ? null : (searchTrie(trie, { ageOf, required, maxAge })?.conflict ?? null);
  }

  /** Returns true if a known conflict of `dependency` contains `node`. */
  concerns(dependency: LockedDependency, node: Node): boolean {
    const dependencies = this.#dependenciesByNode.get(node);
    return dependencies !== undefined && dependencies.has(this.#keyOf(dependency));
  }

  /** Returns true if any known conflict contains `node`. */
  mentions(node: Node): boolean {
    return this.#dependenciesByNode.has(node);
  }

  #keyOf(dependency: LockedDependency): string {
    let key = this.#keys.get(dependency);
    if (key === undefined) {
      key = dependencyKey(dependency);
      this.#keys.set(dependency, key);
    }
    return key;
  }
}

/** Returns the packages of a conflict, sorted by package ID. */
export function sortedNodes(conflict: ConflictMap): readonly Node[] {
  return Array.from(conflict.keys()).sort((a, b) => comparePackageIds(a.id, b.id));
}

function emptyTrie(): Trie {
  return { conflict: null, children: [] };
}

/** Returns the child for `node`, added at its sorted position if it is missing. */
function childOf({ children }: Trie, node: Node): Trie {
  let position = 0;
  for (const child of children) {
    if (child.node === node) return child.trie;
    if (comparePackageIds(child.node.id, node.id) > 0) break;
    position++;
  }
  const trie = emptyTrie();
  children.splice(position, 0, { node, trie });
  return trie;
}

/**
 * Returns the conflict below `trie` whose youngest package is oldest; null if none is within the limits. `required` is
 * null once the path to `trie` contains it. Both the order of children and the falling limit prune the search.
 */
function searchTrie(
  trie: Trie,
  { ageOf, required, maxAge }: Required<ConflictQuery> & { readonly ageOf: AgeOf },
): ActiveConflict | null {
  if (trie.conflict !== null) return required === null ? { conflict: trie.conflict, age: 0 } : null;
  let best: ActiveConflict | null = null;
  /** The age that a better conflict must be below. */
  let limit = maxAge;
  for (const { node, trie: below } of trie.children) {
    // All further packages are greater than the required one.
    if (required !== null && node !== required && comparePackageIds(node.id, required.id) > 0) break;
    const age = ageOf(node);
    // Not active, or too young for a better conflict.
    if (age === null || (age >= limit && node !== required)) continue;
    const result = searchTrie(below, { ageOf, required: node === required ? null : required, maxAge: limit });
    if (result === null) continue;
    const youngest = node === required ? result.age : Math.max(age, result.age);
    if (youngest < limit) {
      best = { conflict: result.conflict, age: youngest };
      limit = youngest;
    }
  }
  return best;
}
