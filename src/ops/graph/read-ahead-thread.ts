/** A second thread that reads what a lock file names. It is started before all is loaded that says what it shall read. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { silentWorker, threadProgram } from '../../disk/silent-worker.ts';
import type { ReadingOrder, ReadManifests } from './read-manifests.ts';

const PROGRAM = threadProgram('read-ahead-worker');

/** What is done right before a thread starts, and which file it runs: the build's own unless given. */
export interface ThreadStart {
  readonly onStart?: () => void;
  readonly program?: string | null;
}

/** A thread that waits for its order, answers it, and ends. Must be closed. */
export class ReadAheadThread {
  readonly #worker: Worker;
  readonly #answer: Promise<ReadManifests | null>;
  #hasAnswered = false;

  /** null if there is no program, or no second thread to be had. */
  static start({ onStart = () => {}, program = PROGRAM }: ThreadStart): ReadAheadThread | null {
    if (program === null || availableParallelism() < 2) return null;
    onStart();
    try {
      return new ReadAheadThread(silentWorker(program));
    } catch {
      return null;
    }
  }

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#answer = answerOf(worker);
    // Nobody waits for it who does not need what it reads.
    worker.unref();
  }

  /** Gives it its one order. */
  order(order: ReadingOrder): void {
    this.#worker.postMessage(order);
  }

  /** Waits for what it has read; null if it ends without an answer. */
  async answer(): Promise<ReadManifests | null> {
    this.#worker.ref();
    const answer = await this.#answer;
    this.#hasAnswered = answer !== null;
    return answer;
  }

  /** Ends it, unless it has answered: then it ends by itself, and nobody waits for that. */
  close(): void {
    if (this.#hasAnswered) this.#worker.unref();
    else void this.#worker.terminate();
  }
}

async function answerOf(worker: Worker): Promise<ReadManifests | null> {
  try {
    const end = once(worker, 'exit').then(() => []);
    const [answer = null] = await Promise.race([once(worker, 'message'), end]);
    return answer;
  } catch {
    return null;
  }
}
