/**
 * A coalesced task, such as flushing a file: one run serves all callers that requested it before it started. Callers
 * that request it while it runs share the next run.
 */
export class CoalescedTask {
  readonly #work: () => Promise<void>;
  /** The current run. It stays set from one run to the next if another is requested. */
  #running: Promise<void> | null = null;
  /** The run that starts after the current one; null if nobody requested it. Set only while `#running` is. */
  #next: Promise<void> | null = null;

  /** `work` is one run. It must cover every change that was made before it is called. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Settles like the next run that starts after the call. */
  join(): Promise<void> {
    if (this.#running === null) return this.#start();
    // The current run may miss recent changes.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  /** Starts a run, which takes the place of `#next`. */
  #start(): Promise<void> {
    this.#next = null;
    const run = this.#work().finally(() => {
      // If another run is waiting, it starts right after this one.
      if (this.#running === run && this.#next === null) this.#running = null;
    });
    this.#running = run;
    return run;
  }
}
