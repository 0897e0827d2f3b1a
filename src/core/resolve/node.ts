/** The packages that a resolution considers. */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';
import { compatBucket } from '../version/compare-versions.ts';
import type { Version } from '../version/version.ts';
import { activate, type Activation, type ActivationProblem, type DependencyRequest } from './activation.ts';
import {
  type DependencyOwner,
  findPinned,
  lockFor,
  type LockedDependency,
  type LockRules,
} from './locked-dependency.ts';
import type { Problem } from './problem.ts';

/** A package considered by a resolution. Equal IDs have the same object. */
export interface Node {
  /** Index into the nodes of the resolution, which has no gaps. */
  readonly ix: number;
  readonly id: PackageId;
  readonly summary: Summary;
  /**
   * Number of the slot, which packages of one name and source with compatible versions share. Only one of them can be
   * active.
   */
  readonly slot: number;
  /** Index of the native library that it links to; -1 if none. Only one package that links to it can be active. */
  readonly link: number;
  /** Its locked dependencies. Without `[replace]`, only roots have dev-dependencies here. */
  readonly dependencies: readonly LockedDependency[];
  /** Its locked dependencies if a patch leads to it. The same list as `dependencies` if there is no difference. */
  readonly patchDependencies: readonly LockedDependency[];
}

/** The packages of one resolution, created on demand. */
export class Nodes {
  readonly #problem: Problem;
  /** Keys of the packages whose dev-dependencies count. */
  readonly #roots: ReadonlySet<string>;
  readonly #nodes: Node[] = [];
  readonly #bySummary = new Map<Summary, Node>();
  readonly #byKey = new Map<string, Node>();
  readonly #slots = new Map<string, number>();
  readonly #links = new Map<string, number>();
  /** Results of `activation` by `ix`, each by its request. */
  readonly #activations: Map<string, Activation | ActivationProblem>[] = [];

  constructor(problem: Problem) {
    this.#problem = problem;
    this.#roots = new Set(problem.roots.map(({ summary }) => summary.id.key));
  }

  /** Returns the node of a package. Makes it if this is the first summary with its ID. */
  of(summary: Summary): Node {
    const known = this.#bySummary.get(summary);
    if (known !== undefined) return known;
    const node = this.#byKey.get(summary.id.key) ?? this.#make(summary);
    this.#bySummary.set(summary, node);
    return node;
  }

  /** Returns the slot of packages `name` that are compatible with `version`, in `source`. */
  slotOf(name: string, version: Version, source: SourceId): number {
    const key = `${name} ${compatBucket(version)} ${source.unpinnedKey}`;
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(key, slot);
    }
    return slot;
  }

  /**
   * Returns what a request activates in a node, for a dependency that declares `source`. Equal requests get the same
   * object.
   */
  activation(node: Node, request: DependencyRequest, source: SourceId): Activation | ActivationProblem {
    const known = (this.#activations[node.ix] ??= new Map<string, Activation | ActivationProblem>());
    const isPatch =
      node.patchDependencies !== node.dependencies && node.id.source.unpinnedKey !== source.unpinnedKey;
    // Two digits, as a requested name can begin with any other mark.
    const key = `${Number(isPatch)}${Number(request.default)}${request.features.key}`;
    let activation = known.get(key);
    if (activation === undefined) {
      const dependencies = isPatch ? node.patchDependencies : node.dependencies;
      activation = activate({ summary: node.summary, dependencies }, request);
      known.set(key, activation);
    }
    return activation;
  }

  #make(summary: Summary): Node {
    const { locks, patches } = this.#problem;
    const pinned = locks.pinned.size === 0 ? undefined : findPinned(summary.id, locks);
    const id = pinned?.id ?? summary.id;
    // A root's replacement needs its dev-dependencies too.
    const usesDev = this.#problem.replacements.length > 0 || this.#roots.has(summary.id.key);
    const usable = usesDev ? summary.dependencies : summary.dependencies.filter(({ kind }) => kind !== 'dev');
    const lockAll = (rules: LockRules, owner: DependencyOwner): readonly LockedDependency[] =>
      usable.map((dependency) => lockFor(dependency, owner, rules));
    const dependencies = lockAll(this.#problem, { id, pinned });
    const patchLocks = this.#isPatch(summary) ? patches.locks : null;
    const node: Node = {
      ix: this.#nodes.length,
      id,
      summary,
      slot: this.slotOf(id.name, id.version, id.source),
      link: summary.links === null ? -1 : this.#linkOf(summary.links),
      dependencies,
      patchDependencies:
        patchLocks === null
          ? dependencies
          : lockAll({ locks: patchLocks, patches }, { id, pinned: findPinned(summary.id, patchLocks) }),
    };
    this.#nodes.push(node);
    this.#byKey.set(id.key, node);
    return node;
  }

  /** Returns true if `[patch]` selects the package. */
  #isPatch(summary: Summary): boolean {
    for (const { summaries } of this.#problem.patches.bySource.values()) {
      if (summaries.some(({ id }) => id.key === summary.id.key)) return true;
    }
    return false;
  }

  /** Returns the index of a native library. */
  #linkOf(links: string): number {
    let link = this.#links.get(links);
    if (link === undefined) {
      link = this.#links.size;
      this.#links.set(links, link);
    }
    return link;
  }
}
