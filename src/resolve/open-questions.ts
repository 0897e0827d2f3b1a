import type { OpenQuestion } from './candidates.ts';
import { dependencyKey } from './dependency-key.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Asking, RequiredWant } from './problem.ts';

/** Thrown out of a search that cannot go on before something arrives. */
export class Interruption extends Error {}

/**
 * What a round of a search left out because its candidates are not known. A dependency that was left out
 * stays so until the round is over, even if its candidates arrive earlier.
 */
export class OpenQuestions {
  readonly #asking: Asking | null;
  readonly #leftOut = new Set<string>();
  readonly #wants = new Map<string, RequiredWant>();
  #isInterrupted = false;

  constructor(asking: Asking | null) {
    this.#asking = asking;
  }

  /** What is missing, in the order in which it was asked for, each once. */
  get wants(): readonly RequiredWant[] {
    return Array.from(this.#wants.values());
  }

  /** True if something was left out. */
  get isIncomplete(): boolean {
    return this.#isInterrupted || this.#leftOut.size > 0;
  }

  /** To be called when a search starts from the beginning. A round that was interrupted is not over. */
  begin(): void {
    if (!this.#isInterrupted) this.#leftOut.clear();
    this.#isInterrupted = false;
    this.#wants.clear();
  }

  /** True if the round goes on without this dependency. */
  isLeftOut(dependency: LockedDependency): boolean {
    return this.#leftOut.size > 0 && this.#leftOut.has(dependencyKey(dependency));
  }

  /** Asks for the candidates of a dependency, which is left out meanwhile. Throws if the search has to wait. */
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
