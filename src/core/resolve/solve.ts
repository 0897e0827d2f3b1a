/** The search for compatible versions. Cargo Book: Dependency Resolution. */
import { TsregError, withContext } from '../errors/error.ts';
import { activateRoot, isProblem, type Activation, type DependencyRequest } from './activation.ts';
import { Candidates } from './candidates.ts';
import { ConflictCache, type ConflictMap, type ConflictReason } from './conflict-cache.ts';
import { conflictFailure, noCandidate } from './activation-failure.ts';
import { describePathTo } from './describe-path.ts';
import type { Failure } from './failure.ts';
import { FrameQueue, type Choice } from './frame-queue.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { Nodes, type Node } from './node.ts';
import { Interruption, PendingQueries } from './pending-queries.ts';
import {
  type QueryObserver,
  isMissing,
  type Outcome,
  type Problem,
  type Root,
  type SummaryTable,
} from './problem.ts';
import { generalizeConflict } from './generalize-conflict.ts';
import { RemainingCandidates } from './remaining-candidates.ts';
import { finishResolution } from './finish-resolution.ts';
import { conflictReason, rootProblemError } from './root-problem.ts';
import { State, type Checkpoint } from './state.ts';

/** Chooses a version for every dependency, as far as the table has summaries. */
export function solve(problem: Problem, table: SummaryTable): Outcome {
  return new Search(problem, table, null).run();
}

/** A point at which the search can continue if its choice fails. */
interface Alternative {
  readonly checkpoint: Checkpoint;
  readonly parent: Node;
  readonly choice: Choice;
  readonly remaining: RemainingCandidates;
  readonly conflict: Map<Node, ConflictReason>;
}

/** The result of activating a candidate. */
type Activated =
  | { readonly kind: 'frame'; readonly node: Node; readonly choices: readonly Choice[] }
  | { readonly kind: 'nothing-new' }
  | { readonly kind: 'conflict'; readonly with: Node; readonly reason: ConflictReason };

/**
 * Chooses a version for every dependency in cargo's order. Members come first, then always the dependency with the
 * fewest candidates, best candidate first. If a choice fails, the search backtracks.
 *
 * Dependencies with unknown candidates are skipped. Call `run` again when summaries have arrived: the search still
 * knows its conflicts.
 */
export class Search {
  readonly #roots: readonly Root[];
  readonly #queries: PendingQueries;
  readonly #candidates: Candidates;
  readonly #nodes: Nodes;
  readonly #known = new ConflictCache();
  /** Choices by activation, only complete ones. */
  readonly #choices = new Map<Activation, readonly Choice[]>();
  #state = new State();
  #queue = FrameQueue.EMPTY;
  #alternatives: Alternative[] = [];

  /** `observer` observes the queries; null if missing summaries will never arrive. */
  constructor(problem: Problem, table: SummaryTable, observer: QueryObserver | null) {
    this.#roots = problem.roots;
    this.#queries = new PendingQueries(observer);
    this.#candidates = new Candidates(problem, table, observer);
    this.#nodes = new Nodes(problem);
  }

  /** Searches from the beginning, with the summaries known by now. */
  run(): Outcome {
    this.#queries.begin();
    this.#state = new State();
    this.#queue = FrameQueue.EMPTY;
    this.#alternatives = [];
    try {
      const failure = this.#search();
      if (failure !== null) return { kind: 'failed', failure };
    } catch (error) {
      if (error instanceof TsregError) return { kind: 'failed', failure: { kind: 'worded', error } };
      if (!(error instanceof Interruption)) throw error;
    }
    if (this.#queries.isIncomplete)
      return { kind: 'needs', missingSummaries: this.#queries.missingSummaries };
    return finishResolution(this.#state, this.#nodes, this.#candidates);
  }

  /** Returns null if every dependency got a version. */
  #search(): Failure | null {
    for (const root of this.#roots) this.#activateRoot(root);
    for (;;) {
      const next = this.#queue.pop();
      if (next === null) return null;
      this.#queue = next.rest;
      const failure = this.#choose(next.frame.parent, next.choice, next.frame.willFail);
      if (failure !== null) return failure;
    }
  }

  /** Chooses a version for one dependency. May backtrack and choose earlier ones again. */
  #choose(firstParent: Node, firstChoice: Choice, frameWillFail: boolean): Failure | null {
    let parent = firstParent;
    let choice = firstChoice;
    const forTheMessage = frameWillFail && this.#conflicting(choice.dependency) !== null;
    let remaining = new RemainingCandidates(choice.candidates, 0, null);
    let conflict = new Map<Node, ConflictReason>();
    let cameBack = false;
    for (;;) {
      let next = remaining.next(this.#nodes, this.#state, conflict);
      if (next === null) {
        let generalized: ConflictMap | null = null;
        if (!forTheMessage && !cameBack) {
          this.#known.insert(choice.dependency, conflict);
          generalized = generalizeConflict(
            { parent, dependency: choice.dependency, conflict },
            { state: this.#state, nodes: this.#nodes, candidates: this.#candidates, known: this.#known },
          );
        }
        const alternative = this.#comeBack(parent, generalized ?? conflict, cameBack);
        if (alternative === null) return this.#failure(parent, choice, conflict, firstChoice);
        this.#state.restore(alternative.checkpoint);
        this.#queue = alternative.checkpoint.queue;
        ({ parent, choice, remaining, conflict } = alternative);
        cameBack = true;
        next = remaining.next(this.#nodes, this.#state, conflict);
        if (next === null) throw new TsregError('a saved choice has no candidate left', { code: 'bug' });
      }
      const { node, hasAnother } = next;
      if (forTheMessage && !cameBack && hasAnother) continue;
      const alternative: Alternative | null = hasAnother
        ? {
            checkpoint: this.#state.checkpoint(this.#queue),
            parent,
            choice,
            remaining: remaining.copy(),
            conflict: new Map(conflict),
          }
        : null;
      const activated = this.#activate(parent, choice, node);
      const succeeded = this.#accept(activated, {
        parent,
        node,
        hasAnother,
        forTheMessage,
        cameBack,
        conflict,
      });
      if (succeeded) {
        if (alternative !== null) this.#alternatives.push(alternative);
        return null;
      }
      if (alternative !== null) this.#state.restore(alternative.checkpoint);
    }
  }

  /**
   * Queues the dependencies of an activated package, unless it is known to fail. Adds conflicts to those of `attempt`.
   */
  #accept(
    activated: Activated,
    attempt: {
      readonly parent: Node;
      readonly node: Node;
      readonly hasAnother: boolean;
      readonly forTheMessage: boolean;
      readonly cameBack: boolean;
      readonly conflict: Map<Node, ConflictReason>;
    },
  ): boolean {
    const { parent, node, conflict } = attempt;
    if (activated.kind === 'nothing-new') return true;
    if (activated.kind === 'conflict') {
      conflict.set(activated.with, activated.reason);
      return false;
    }
    const willFail =
      attempt.forTheMessage ||
      this.#ownDependencyFails(activated.choices, node, conflict) ||
      this.#otherDependencyFails(node, conflict);
    // A failing choice without any alternative is still made, because the message describes where it ends.
    const isLast =
      willFail &&
      !attempt.hasAnother &&
      (attempt.forTheMessage || !this.#canComeBack(parent, conflict, attempt.cameBack));
    if (isLast) this.#alternatives = [];
    if (willFail && !isLast) return false;
    this.#queue = this.#queue.push(activated.node, activated.choices, willFail);
    return true;
  }

  #ownDependencyFails(choices: readonly Choice[], node: Node, conflict: Map<Node, ConflictReason>): boolean {
    for (const { dependency } of choices) {
      const known = this.#conflicting(dependency);
      if (known === null) continue;
      addAllBut(node, known, conflict);
      return true;
    }
    return false;
  }

  #otherDependencyFails(node: Node, conflict: Map<Node, ConflictReason>): boolean {
    if (!this.#known.mentions(node)) return false;
    const ageOf = this.#ageOf;
    for (const { parent, choices, taken } of this.#queue.frames()) {
      for (const { dependency } of choices.slice(taken)) {
        if (!this.#known.concerns(dependency, node)) continue;
        const known = this.#known.find(dependency, ageOf, node);
        const reason = known?.get(node);
        if (known === null || reason === undefined) continue;
        addAllBut(node, known, conflict);
        conflict.set(parent, reason);
        return true;
      }
    }
    return false;
  }

  readonly #ageOf = (node: Node): number | null => this.#state.ageOf(node);

  #conflicting(dependency: LockedDependency): ConflictMap | null {
    return this.#known.find(dependency, this.#ageOf);
  }

  #activateRoot({ summary, requested }: Root): void {
    const node = this.#nodes.of(summary);
    this.#state.age++;
    if (this.#state.flag(node, null, null).kind === 'links-twice') throw linksTwice(node);
    const replaced = this.#flagReplacement(node, null);
    const activation = activateRoot(replaced?.node ?? node, requested);
    if (isProblem(activation)) throw rootProblemError(activation, summary);
    this.#queueRoot(replaced?.node ?? node, activation);
  }

  #queueRoot(node: Node, activation: Activation): void {
    const choices = this.#choicesOf(node, activation);
    this.#state.addFeatures(node, activation.features);
    this.#queue = this.#queue.push(node, choices, false);
  }

  #activate(parent: Node, { dependency, features }: Choice, candidate: Node): Activated {
    const state = this.#state;
    const request: DependencyRequest = { features, default: dependency.declared.defaultFeatures };
    state.age++;
    state.addParent(candidate, parent, dependency);
    const { id } = candidate;
    const { source } = dependency;
    const patchedSlot =
      source.unpinnedKey === id.source.unpinnedKey ? null : this.#nodes.slotOf(id.name, id.version, source);
    const flagged = state.flag(candidate, request, patchedSlot);
    if (flagged.kind === 'links-twice') throw linksTwice(candidate);
    if (flagged.kind === 'conflict')
      return { kind: 'conflict', with: flagged.with, reason: { kind: 'semver' } };
    const replaced = this.#flagReplacement(candidate, request);
    const isNothingNew = flagged.kind === 'nothing-new' && (replaced === null || replaced.isNothingNew);
    if (isNothingNew) return { kind: 'nothing-new' };
    const node = replaced?.node ?? candidate;
    const activation = this.#nodes.activation(node, request, source);
    if (isProblem(activation)) {
      if (activation.problem === 'cycle') throw rootProblemError(activation, node.summary);
      return { kind: 'conflict', with: parent, reason: conflictReason(activation, node.summary) };
    }
    const choices = this.#choicesOf(node, activation);
    state.addFeatures(node, activation.features);
    return { kind: 'frame', node, choices };
  }

  /** Activates the `[replace]` replacement of `node`; returns null if it has none. */
  #flagReplacement(
    node: Node,
    request: DependencyRequest | null,
  ): { readonly node: Node; readonly isNothingNew: boolean } | null {
    const summary = this.#candidates.replacedBy.get(node.summary);
    if (summary === undefined) return null;
    const replacement = this.#nodes.of(summary);
    const flagged = this.#state.flag(replacement, request, null);
    if (flagged.kind === 'links-twice') throw linksTwice(replacement);
    return { node: replacement, isNothingNew: flagged.kind === 'nothing-new' };
  }

  /** Returns the dependencies of an activation with their candidates. Skips those with unknown candidates. */
  #choicesOf(node: Node, activation: Activation): readonly Choice[] {
    const known = this.#choices.get(activation);
    if (known !== undefined) return known;
    const choices: Choice[] = [];
    let isComplete = true;
    for (const { dependency, features } of activation.dependencies) {
      const { name } = dependency.declared;
      const context = (): string =>
        `failed to get \`${name}\` as a dependency of ${describePathTo(node, this.#state)}`;
      if (this.#queries.isLeftOut(dependency)) {
        isComplete = false;
        continue;
      }
      const candidates = withContext(context, () => this.#candidates.query(dependency));
      if (isMissing(candidates)) {
        isComplete = false;
        this.#queries.ask(dependency, candidates, describePathTo(node, this.#state));
      } else choices.push({ dependency, candidates, features });
    }
    choices.sort((a, b) => a.candidates.length - b.candidates.length);
    if (isComplete) this.#choices.set(activation, choices);
    return choices;
  }

  /** Removes alternatives up to the youngest that can avoid the conflict, and returns it; null if there is none. */
  #comeBack(parent: Node, conflict: ConflictMap, cameBack: boolean): Alternative | null {
    const age = cameBack ? null : this.#state.conflictAge(parent, conflict);
    for (;;) {
      const alternative = this.#alternatives.pop();
      if (alternative === undefined) return null;
      if (age === null || alternative.checkpoint.age < age) return alternative;
    }
  }

  #canComeBack(parent: Node, conflict: ConflictMap, cameBack: boolean): boolean {
    const age = cameBack ? null : this.#state.conflictAge(parent, conflict);
    if (age === null) return this.#alternatives.length > 0;
    return this.#alternatives.some(({ checkpoint }) => checkpoint.age < age);
  }

  #failure(parent: Node, choice: Choice, conflict: ConflictMap, first: Choice): Failure {
    // The message lists the candidates of the first dependency, even after backtracking to another one.
    return first.candidates.length > 0
      ? conflictFailure(
          { parent, dependency: choice.dependency, candidates: first.candidates, conflict },
          this.#state,
        )
      : noCandidate(choice.dependency, parent, { candidates: this.#candidates, state: this.#state });
  }
}

function addAllBut(node: Node, known: ConflictMap, conflict: Map<Node, ConflictReason>): void {
  for (const [other, reason] of known) if (other !== node) conflict.set(other, reason);
}

function linksTwice(node: Node): TsregError {
  return new TsregError(
    `Attempting to resolve a dependency with more than one crate with links=${node.summary.links ?? ''}.
This will not build as is. Consider rebuilding the .lock file.`,
    { code: 'resolve' },
  );
}
