/**
 * Work that serves all who asked for it before it began, as synchronising a file does: whoever asks while it is under
 * way shares the next turn with the others.
 */
export class SharedTurn {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Settles as a turn does that begins after the call. */
  join(): Promise<void> {
    if (this.#running === null) return this.#start();
    // The turn that has begun may miss what was done since.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = null;
    const turn = this.#work().finally(() => {
      // Between its end and the begin of the next one nobody begins another.
      if (this.#running === turn && this.#next === null) this.#running = null;
    });
    this.#running = turn;
    return turn;
  }
}
