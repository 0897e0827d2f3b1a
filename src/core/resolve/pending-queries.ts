/** Queries of a search whose summaries are still loading. */
import type { PendingQuery } from './candidates.ts';
import { dependencyKey } from './dependency-key.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { QueryObserver, RequiredSummary } from './problem.ts';

/** An error that stops a search until missing summaries arrive. */
export class Interruption extends Error {}

/**
 * The queries that are pending in a round of a search. A round is one search or, after an interruption, several. A
 * dependency that was skipped stays so until the end of the round, even if its candidates arrive earlier.
 */
export class PendingQueries {
  readonly #observer: QueryObserver | null;
  /** Keys of the skipped dependencies. */
  readonly #skipped = new Set<string>();
  readonly #missingSummaries = new Map<string, RequiredSummary>();
  #isInterrupted = false;

  constructor(observer: QueryObserver | null) {
    this.#observer = observer;
  }

  /** The missing summaries, in the order of the first queries, without duplicates. */
  get missingSummaries(): readonly RequiredSummary[] {
    return Array.from(this.#missingSummaries.values());
  }

  /** True if the round skipped something or was interrupted. */
  get isIncomplete(): boolean {
    return this.#isInterrupted || this.#skipped.size > 0;
  }

  /** Starts a search from the beginning. After an interruption this continues the same round. */
  begin(): void {
    if (!this.#isInterrupted) this.#skipped.clear();
    this.#isInterrupted = false;
    this.#missingSummaries.clear();
  }

  /** Returns true if this round skips the dependency. */
  isSkipped(dependency: LockedDependency): boolean {
    return this.#skipped.size > 0 && this.#skipped.has(dependencyKey(dependency));
  }

  /**
   * Requests the candidates of a dependency, and skips it in this round. Throws `Interruption` if the search must wait
   * for them. `requiredBy` is as in `RequiredSummary`.
   */
  ask(dependency: LockedDependency, query: PendingQuery, requiredBy: string): void {
    const { source, name, isLocked } = query;
    const missing: RequiredSummary = { source, name, requiredBy };
    const key = `${name} ${source.ix}`;
    if (!this.#missingSummaries.has(key)) this.#missingSummaries.set(key, missing);
    if (this.#observer?.ask(missing, isLocked) === true) {
      this.#isInterrupted = true;
      throw new Interruption();
    }
    this.#skipped.add(dependencyKey(dependency));
  }
}
