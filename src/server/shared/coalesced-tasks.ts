/** A running task. */
interface Running<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  /** How many callers have not gone away. */
  callers: number;
}

/** Tasks that run once for all concurrent callers with the same key, and stop when all of these have gone away. */
export class CoalescedTasks<T> {
  readonly #running = new Map<string, Running<T>>();

  /**
   * Returns the result of the running task of `key`. Starts `work` if there is none. `signal` tells that the caller has
   * gone away. The signal of `work` is aborted once all callers have.
   */
  async run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(key) ?? this.#start(key, work);
    running.callers += 1;
    const leave = (): void => {
      running.callers -= 1;
      if (running.callers > 0) return;
      this.#forget(key, running);
      running.controller.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await running.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.#forget(key, running));
    const running = { result, controller, callers: 0 };
    this.#running.set(key, running);
    return running;
  }

  /** A later caller must not join a task that has ended or is being stopped. */
  #forget(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}
