/** Runs tasks on separate threads, so that untrusted input cannot delay all other requests. */
import type { TransferListItem, Worker } from 'node:worker_threads';
import { silentWorker } from '../../io/disk/silent-worker.ts';
import { reasonOf } from './reason-of.ts';
import { Slots, type WaitOptions } from './slots.ts';

/** Settings of the threads. */
export interface TaskThreadsOptions extends TaskThreadLimits {
  /** Absolute path of the thread's program. It sends one message when it is loaded, and one for each task. */
  readonly program: string;
}

/** The number of threads, and their limits. */
export interface TaskThreadLimits {
  readonly count: number;
  /** A thread that has not responded after this time is stopped and replaced. */
  readonly deadlineMs: number;
  /** How many tasks may wait for a thread, and for how long. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly maxHeapMb: number;
}

/** A message for a thread. Parts in `transfer` are transferred instead of copied. */
export interface Task {
  readonly message: unknown;
  readonly transfer?: readonly TransferListItem[];
}

/**
 * The reason why a task has no result. `busy`: no thread was free in time. `too-much`: the task needed too much time or
 * memory. `failed`: the thread did not start, or its program threw an unexpected error.
 */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly kind: 'busy' | 'too-much' | 'failed';

  constructor(kind: TaskFailure['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Time to load the program on a busy machine. */
const START_MS = 30_000;

/** Returns threads for a program; null if there is none, because tsreg runs from its sources. */
export function taskThreads(program: string | null, limits: TaskThreadLimits): TaskThreads | null {
  return program === null ? null : new TaskThreads({ program, ...limits });
}

/** Threads that start on demand and do not keep the process alive. */
export class TaskThreads {
  readonly #options: TaskThreadsOptions;
  readonly #slots: Slots;
  readonly #idle: Worker[] = [];

  constructor(options: TaskThreadsOptions) {
    this.#options = options;
    this.#slots = new Slots(options.count, options.maxWaiting, { maxWaitMs: options.maxWaitMs });
  }

  /**
   * Returns the thread's response. Calls `prepare` when a thread is free. Rejects with `TaskFailure`, with the error of
   * `prepare`, or with that of `postMessage` if the message cannot be sent.
   */
  async run(prepare: () => Promise<Task>, wait: WaitOptions = {}): Promise<unknown> {
    return await this.#slots.run(
      async () => await this.#response(await prepare()),
      () => new TaskFailure('busy', 'too many such tasks are running'),
      wait,
    );
  }

  async #response({ message, transfer = [] }: Task): Promise<unknown> {
    const { deadlineMs } = this.#options;
    const worker = this.#idle.pop() ?? (await this.#start());
    let isUsable = false;
    try {
      worker.postMessage(message, transfer);
      const result = await nextMessage(worker, deadlineMs);
      isUsable = true;
      return result;
    } finally {
      if (isUsable) this.#idle.push(worker);
      else void worker.terminate();
    }
  }

  async #start(): Promise<Worker> {
    const { program, maxHeapMb } = this.#options;
    const worker = silentWorker(program, { maxOldGenerationSizeMb: maxHeapMb });
    worker.unref();
    // The thread ends after an unhandled error. Without a listener, the error would end this thread too.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      const index = this.#idle.indexOf(worker);
      if (index !== -1) this.#idle.splice(index, 1);
    });
    try {
      await nextMessage(worker, START_MS);
      return worker;
    } catch (error) {
      void worker.terminate();
      // No task has begun, so none can be blamed for it.
      throw new TaskFailure('failed', `the thread did not start: ${reasonOf(error)}`);
    }
  }
}

/** Returns the next message of the thread. Rejects with `TaskFailure` if there is none within `withinMs`. */
function nextMessage(worker: Worker, withinMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('too-much', `it took more than ${withinMs} ms`), withinMs);
    const stopListening = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const fail = (kind: TaskFailure['kind'], message: string): void => {
      stopListening();
      reject(new TaskFailure(kind, message));
    };
    const onMessage = (result: unknown): void => {
      stopListening();
      resolve(result);
    };
    const onError = (error: unknown): void => {
      const isAboutMemory =
        error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      fail(
        isAboutMemory ? 'too-much' : 'failed',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
    };
    const onExit = (): void => fail('failed', 'the thread has ended');
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
