/** The search for compatible versions, as in cargo's `resolver/mod.rs`. Cargo Book: Dependency Resolution. */
import { TsregError } from '../errors/error.ts';
import { conflictFailure, noCandidate } from './activation-failure.ts';
import { Candidates } from './candidates.ts';
import { ConflictCache, type ConflictMap, type ConflictReason } from './conflict-cache.ts';
import type { Failure } from './failure.ts';
import { finishResolution } from './finish-resolution.ts';
import { FrameQueue, type Choice } from './frame-queue.ts';
import { type FailedDependency, generalizeConflict } from './generalize-conflict.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { Nodes, type Node } from './node.ts';
import { Interruption, PendingQueries } from './pending-queries.ts';
import type { Outcome, Problem, QueryObserver, Root, SummaryTable } from './problem.ts';
import { RemainingCandidates } from './remaining-candidates.ts';
import { type ActivationResult, type CandidateChoice, SearchActivation } from './search-activation.ts';
import { State, type Checkpoint } from './state.ts';

/** Chooses a version for every dependency, as far as the table has summaries. */
export function solve(problem: Problem, table: SummaryTable): Outcome {
  return new Search(problem, table, null).run();
}

/** A point at which the search can continue with the next of the remaining candidates, if a later choice fails. */
interface Alternative {
  readonly checkpoint: Checkpoint;
  readonly parent: Node;
  readonly choice: Choice;
  readonly remaining: RemainingCandidates;
  readonly conflict: Map<Node, ConflictReason>;
}

/** A candidate that the search tries for a dependency. */
interface Attempt extends CandidateChoice {
  /** True if the dependency has another candidate. */
  readonly hasAnother: boolean;
  /** True if the dependency is known to fail: the search only looks for the packages that the message names. */
  readonly isOnlyForMessage: boolean;
  /** True if the search backtracked to this dependency since the last success. */
  readonly hasBacktracked: boolean;
  /** The conflicts of all candidates of the dependency so far. A failed attempt adds its own. */
  readonly conflict: Map<Node, ConflictReason>;
}

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
  readonly #conflicts = new ConflictCache();
  readonly #activation: SearchActivation;
  #state = new State();
  /** Belongs to `#state`: `#choose` restores both together. */
  #queue = FrameQueue.EMPTY;
  /** Oldest first. */
  #alternatives: Alternative[] = [];

  /** `observer` receives the queries; null if missing summaries will never arrive. */
  constructor(problem: Problem, table: SummaryTable, observer: QueryObserver | null) {
    this.#roots = problem.roots;
    this.#queries = new PendingQueries(observer);
    this.#candidates = new Candidates(problem, table, observer);
    this.#nodes = new Nodes(problem);
    this.#activation = new SearchActivation(this.#candidates, this.#nodes, { queries: this.#queries });
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

  /** Chooses all versions. Returns null if every dependency got one, else the failure. Throws `Interruption`. */
  #search(): Failure | null {
    for (const root of this.#roots) {
      const { node, choices } = this.#activation.activateRoot(root, this.#state);
      this.#queue = this.#queue.push(node, choices, { willFail: false });
    }
    for (;;) {
      const next = this.#queue.pop();
      if (next === null) return null;
      this.#queue = next.remaining;
      const failure = this.#choose(next.frame.parent, next.choice, next.frame.willFail);
      if (failure !== null) return failure;
    }
  }

  /**
   * Chooses a version for one dependency, after backtracking perhaps for an earlier one in its place. Returns a failure
   * if no alternative is left. cargo names `isOnlyForMessage` `just_here_for_the_error_messages`.
   */
  #choose(firstParent: Node, firstChoice: Choice, frameWillFail: boolean): Failure | null {
    let parent = firstParent;
    let choice = firstChoice;
    const isOnlyForMessage = frameWillFail && this.#knownConflict(choice.dependency) !== null;
    let remaining = new RemainingCandidates(choice.candidates);
    let conflict = new Map<Node, ConflictReason>();
    let hasBacktracked = false;
    for (;;) {
      let next = remaining.next(this.#nodes, this.#state, conflict);
      if (next === null) {
        const generalized =
          isOnlyForMessage || hasBacktracked
            ? null
            : this.#addConflict({ parent, dependency: choice.dependency, conflict });
        const alternative = this.#backtrack(parent, generalized ?? conflict, hasBacktracked);
        if (alternative === null) return this.#failure(parent, choice, conflict, firstChoice);
        this.#state.restore(alternative.checkpoint);
        this.#queue = alternative.checkpoint.queue;
        ({ parent, choice, remaining, conflict } = alternative);
        hasBacktracked = true;
        next = remaining.next(this.#nodes, this.#state, conflict);
        if (next === null) throw new TsregError('a saved choice has no candidate left', { code: 'bug' });
      }
      const { node, hasAnother } = next;
      // The message is about the last candidate.
      if (isOnlyForMessage && !hasBacktracked && hasAnother) continue;
      const alternative: Alternative | null = hasAnother
        ? {
            checkpoint: this.#state.checkpoint(this.#queue),
            parent,
            choice,
            remaining: remaining.copy(),
            conflict: new Map(conflict),
          }
        : null;
      const attempt = { parent, choice, node, hasAnother, isOnlyForMessage, hasBacktracked, conflict };
      if (this.#accept(this.#activation.activate(attempt, this.#state), attempt)) {
        if (alternative !== null) this.#alternatives.push(alternative);
        return null;
      }
      // Without another candidate, the next round backtracks and restores an earlier state.
      if (alternative !== null) this.#state.restore(alternative.checkpoint);
    }
  }

  /**
   * Stores the conflict of a dependency. Returns a more general one, which lets the search backtrack further; else
   * null.
   */
  #addConflict(failed: FailedDependency): ConflictMap | null {
    this.#conflicts.insert(failed.dependency, failed.conflict);
    return generalizeConflict(failed, {
      state: this.#state,
      nodes: this.#nodes,
      candidates: this.#candidates,
      conflicts: this.#conflicts,
    });
  }

  /**
   * Queues the dependencies of an activated package. Returns false if it conflicts or is known to fail, after
   * adding the reasons to `attempt.conflict`. Does not restore the state.
   */
  #accept(result: ActivationResult, attempt: Attempt): boolean {
    const { parent, node, conflict } = attempt;
    if (result.kind === 'nothing-new') return true;
    if (result.kind === 'conflict') {
      conflict.set(result.with, result.reason);
      return false;
    }
    const willFail =
      attempt.isOnlyForMessage ||
      this.#ownDependencyFails(result.choices, node, conflict) ||
      this.#otherDependencyFails(node, conflict);
    // A failing choice without any alternative is still made, because the message describes where it ends.
    const isLast =
      willFail &&
      !attempt.hasAnother &&
      (attempt.isOnlyForMessage || !this.#canBacktrack(parent, conflict, attempt.hasBacktracked));
    if (isLast) this.#alternatives = [];
    if (willFail && !isLast) return false;
    this.#queue = this.#queue.push(result.node, result.choices, { willFail });
    return true;
  }

  /** Returns true if one of `choices`, the dependencies of `node`, has a known conflict. Adds it to `conflict`. */
  #ownDependencyFails(choices: readonly Choice[], node: Node, conflict: Map<Node, ConflictReason>): boolean {
    for (const { dependency } of choices) {
      const known = this.#knownConflict(dependency);
      if (known === null) continue;
      addAllBut(node, known, conflict);
      return true;
    }
    return false;
  }

  /** Returns true if `node` causes a known conflict of a queued dependency. Adds it to `conflict`. */
  #otherDependencyFails(node: Node, conflict: Map<Node, ConflictReason>): boolean {
    if (!this.#conflicts.mentions(node)) return false;
    const ageOf = this.#ageOf;
    for (const { parent, choices, poppedCount } of this.#queue.frames()) {
      for (const { dependency } of choices.slice(poppedCount)) {
        if (!this.#conflicts.concerns(dependency, node)) continue;
        const known = this.#conflicts.find(dependency, ageOf, { required: node });
        const reason = known?.get(node);
        if (known === null || reason === undefined) continue;
        addAllBut(node, known, conflict);
        conflict.set(parent, reason);
        return true;
      }
    }
    return false;
  }

  /** A property, so that the search for conflicts gets the same function each time. */
  readonly #ageOf = (node: Node): number | null => this.#state.ageOf(node);

  /** Returns a known conflict of a dependency with the active packages; null if there is none. */
  #knownConflict(dependency: LockedDependency): ConflictMap | null {
    return this.#conflicts.find(dependency, this.#ageOf);
  }

  /** Removes alternatives up to the youngest that can avoid the conflict, and returns it; null if there is none. */
  #backtrack(parent: Node, conflict: ConflictMap, hasBacktracked: boolean): Alternative | null {
    // After backtracking, `conflict` may lack reasons, so it excludes no alternative.
    const age = hasBacktracked ? null : this.#state.conflictAge(parent, conflict);
    for (;;) {
      const alternative = this.#alternatives.pop();
      if (alternative === undefined) return null;
      if (age === null || alternative.checkpoint.age < age) return alternative;
    }
  }

  /** Returns true if `#backtrack` would return an alternative. */
  #canBacktrack(parent: Node, conflict: ConflictMap, hasBacktracked: boolean): boolean {
    const age = hasBacktracked ? null : this.#state.conflictAge(parent, conflict);
    if (age === null) return this.#alternatives.length > 0;
    return this.#alternatives.some(({ checkpoint }) => checkpoint.age < age);
  }

  /** Returns the failure of a dependency. `first` is the choice before backtracking. */
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

/** Adds the known conflict to `conflict`, without `node`. */
function addAllBut(node: Node, known: ConflictMap, conflict: Map<Node, ConflictReason>): void {
  for (const [other, reason] of known) if (other !== node) conflict.set(other, reason);
}
