/** Activation of packages during a search. For an activation without a search, see `direct-activation.ts`. */
import { present } from '../errors/assert.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { activateRoot, isProblem, type Activation, type DependencyRequest } from './activation.ts';
import type { Candidates } from './candidates.ts';
import type { ConflictReason } from './conflict-cache.ts';
import { describePathTo } from './describe-path.ts';
import type { Choice } from './frame-queue.ts';
import type { Node, Nodes } from './node.ts';
import type { PendingQueries } from './pending-queries.ts';
import { isMissing, type Root } from './problem.ts';
import { conflictReason, rootProblemError } from './root-problem.ts';
import type { State } from './state.ts';

/** A newly activated package, and its dependencies that need a version. */
export interface ActivatedPackage {
  /** The package, or its `[replace]` replacement. */
  readonly node: Node;
  /** Those with the fewest candidates first. Lacks those whose candidates are unknown. */
  readonly choices: readonly Choice[];
}

/** The result of activating a candidate. After a conflict, the caller must restore the state. */
export type ActivationResult =
  | ({ readonly kind: 'activated' } & ActivatedPackage)
  /** The candidate is active and has all requested features. */
  | { readonly kind: 'nothing-new' }
  | { readonly kind: 'conflict'; readonly with: Node; readonly reason: ConflictReason };

/** A candidate for a dependency of `parent`. */
export interface CandidateChoice {
  readonly parent: Node;
  readonly choice: Choice;
  readonly node: Node;
}

/** Activates packages in a `State`, and queries the candidates of their dependencies. */
export class SearchActivation {
  readonly #candidates: Candidates;
  readonly #nodes: Nodes;
  readonly #queries: PendingQueries;
  /** Results of `#choicesOf` by activation, only complete ones. */
  readonly #choices = new Map<Activation, readonly Choice[]>();

  constructor(candidates: Candidates, nodes: Nodes, { queries }: { readonly queries: PendingQueries }) {
    this.#candidates = candidates;
    this.#nodes = nodes;
    this.#queries = queries;
  }

  /** Activates a member. Throws `resolve` if it lacks a requested feature, or if its native library is in use. */
  activateRoot({ summary, requested }: Root, state: State): ActivatedPackage {
    const member = this.#nodes.of(summary);
    state.age++;
    if (state.flag(member, null).kind === 'links-twice') throw linksTwice(member);
    const node = this.#flagReplacement(member, null, state)?.node ?? member;
    const activation = activateRoot(node, requested);
    if (isProblem(activation)) throw rootProblemError(activation, summary);
    return this.#addFeatures(node, activation, state);
  }

  /** Activates a candidate. Does not restore the state after a conflict. */
  activate({ parent, choice, node: candidate }: CandidateChoice, state: State): ActivationResult {
    const { dependency, features } = choice;
    const request: DependencyRequest = { features, default: dependency.declared.defaultFeatures };
    state.age++;
    state.addParent(candidate, parent, dependency);
    const { id } = candidate;
    const { source } = dependency;
    const patchedSlot =
      source.unpinnedKey === id.source.unpinnedKey ? null : this.#nodes.slotOf(id.name, id.version, source);
    const result = state.flag(candidate, request, patchedSlot);
    if (result.kind === 'links-twice') throw linksTwice(candidate);
    if (result.kind === 'conflict') {
      return { kind: 'conflict', with: result.with, reason: { kind: 'semver' } };
    }
    const replacement = this.#flagReplacement(candidate, request, state);
    const isNothingNew = result.kind === 'nothing-new' && (replacement === null || replacement.isNothingNew);
    if (isNothingNew) return { kind: 'nothing-new' };
    const node = replacement?.node ?? candidate;
    const activation = this.#nodes.activation(node, request, source);
    if (isProblem(activation)) {
      if (activation.problem === 'cycle') throw rootProblemError(activation, node.summary);
      return { kind: 'conflict', with: parent, reason: conflictReason(activation, node.summary) };
    }
    return { kind: 'activated', ...this.#addFeatures(node, activation, state) };
  }

  /** Adds the features of an activation to the state, and queries the candidates of its dependencies. */
  #addFeatures(node: Node, activation: Activation, state: State): ActivatedPackage {
    const choices = this.#choicesOf(node, activation, state);
    state.addFeatures(node, activation.features);
    return { node, choices };
  }

  /** Activates the `[replace]` replacement of `node`; returns null if it has none. */
  #flagReplacement(
    node: Node,
    request: DependencyRequest | null,
    state: State,
  ): { readonly node: Node; readonly isNothingNew: boolean } | null {
    const summary = this.#candidates.replacedBy.get(node.summary);
    if (summary === undefined) return null;
    const replacement = this.#nodes.of(summary);
    const result = state.flag(replacement, request);
    if (result.kind === 'links-twice') throw linksTwice(replacement);
    return { node: replacement, isNothingNew: result.kind === 'nothing-new' };
  }

  /** Returns the dependencies of an activation with their candidates. Skips those with unknown candidates. */
  #choicesOf(node: Node, activation: Activation, state: State): readonly Choice[] {
    const known = this.#choices.get(activation);
    if (known !== undefined) return known;
    const choices: Choice[] = [];
    let isComplete = true;
    for (const { dependency, features } of activation.dependencies) {
      if (this.#queries.isSkipped(dependency)) {
        isComplete = false;
        continue;
      }
      const { name } = dependency.declared;
      const context = (): string =>
        `failed to get \`${name}\` as a dependency of ${describePathTo(node, state)}`;
      const candidates = withContext(context, () => this.#candidates.query(dependency));
      if (isMissing(candidates)) {
        isComplete = false;
        this.#queries.ask(dependency, candidates, describePathTo(node, state));
      } else choices.push({ dependency, candidates, features });
    }
    choices.sort((a, b) => a.candidates.length - b.candidates.length);
    if (isComplete) this.#choices.set(activation, choices);
    return choices;
  }
}

/** Returns the error for a package whose native library another active package links to. */
function linksTwice({ summary }: Node): TsregError {
  return new TsregError(
    `Attempting to resolve a dependency with more than one crate with links=${present(summary.links, 'the native library')}.
This will not build as is. Consider rebuilding the .lock file.`,
    { code: 'resolve' },
  );
}
