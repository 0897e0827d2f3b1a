import type { OpenQuestion } from './candidates.ts';
import { dependencyKey } from './dependency-key.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Asking, RequiredWant } from './problem.ts';

/** An error that stops a search until missing summaries arrive. */
export class Interruption extends Error {}

/**
 * The queries that are pending in a round of a search. A dependency that was skipped stays so until the end of the
 * round, even if its candidates arrive earlier.
 */
export class OpenQuestions {
  readonly #asking: Asking | null;
  readonly #leftOut = new Set<string>();
  readonly #wants = new Map<string, RequiredWant>();
  #isInterrupted = false;

  constructor(asking: Asking | null) {
    this.#asking = asking;
  }

  /** The missing summaries, in the order of the first queries, without duplicates. */
  get wants(): readonly RequiredWant[] {
    return Array.from(this.#wants.values());
  }

  /** True if the round skipped something or was interrupted. */
  get isIncomplete(): boolean {
    return this.#isInterrupted || this.#leftOut.size > 0;
  }

  /** Starts a search from the beginning. After an interruption this continues the same round. */
  begin(): void {
    if (!this.#isInterrupted) this.#leftOut.clear();
    this.#isInterrupted = false;
    this.#wants.clear();
  }

  /** Returns true if this round skips the dependency. */
  isLeftOut(dependency: LockedDependency): boolean {
    return this.#leftOut.size > 0 && this.#leftOut.has(dependencyKey(dependency));
  }

  /** Requests the candidates of a dependency and skips it meanwhile. Throws `Interruption` if the search must wait. */
  ask(dependency: LockedDependency, question: OpenQuestion, requiredBy: string): void {
    const { source, name, isLocked } = question;
    const want: RequiredWant = { source, name, requiredBy };
    this.#wants.set(`${name} ${source.ix}`, this.#wants.get(`${name} ${source.ix}`) ?? want);
    if (this.#asking?.ask(want, isLocked) === true) {
      this.#isInterrupted = true;
      throw new Interruption();
    }
    this.#leftOut.add(dependencyKey(dependency));
  }
}
