/**
 * Threads that derive keys from passwords. scrypt takes some tenths of a second. It must run neither on the main thread
 * nor on libuv's threads, which read files: a flood of sign-ins would stop everything else.
 */
import { once } from 'node:events';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TsregError } from '../../core/errors/error.ts';
import { deriveKey, type KeyInput } from './derive-key.ts';

declare const BUNDLE_FILE: string | undefined;

/**
 * Path of the thread's program, next to the bundle; null if the sources run unbundled, which derive on the main thread.
 */
const PROGRAM =
  typeof BUNDLE_FILE === 'undefined' ? null : join(dirname(BUNDLE_FILE), `key-worker${extname(BUNDLE_FILE)}`);

const MAX_THREADS = 2;
/** How many known devices in a row may go ahead of a waiting stranger. */
const MAX_KNOWN_IN_A_ROW = 3;
/** Maximum number of waiting derivations, each for strangers and known devices: about three seconds of work. */
const MAX_WAITING = 16;

/** The error if too many derivations are already waiting. */
export class PasswordsBusy extends TsregError {
  constructor() {
    super('too many passwords are being checked; try again in a few seconds', { code: 'limit' });
  }
}

/** The priority of a derivation. */
export interface KeyPriority {
  /** Whether the device has signed in before; it then goes ahead of strangers. */
  readonly isKnownDevice: boolean;
}

/** At most two threads, started on demand. They do not keep the process alive while they are idle. */
export class KeyThreads {
  #running = 0;
  #knownInARow = 0;
  readonly #idle: Worker[] = [];
  readonly #waiting: Readonly<Record<'known' | 'unknown', (() => void)[]>> = { known: [], unknown: [] };
  readonly #run: (input: KeyInput) => Promise<Uint8Array>;

  /** Tests pass `run`, which replaces the threads. */
  constructor(run?: (input: KeyInput) => Promise<Uint8Array>) {
    this.#run = run ?? ((input) => this.#runOnThread(input));
  }

  /** Derives a key. Throws `PasswordsBusy` if too many derivations are already waiting. */
  async derive(input: KeyInput, { isKnownDevice }: KeyPriority): Promise<Uint8Array> {
    await this.#takeTurn(this.#waiting[isKnownDevice ? 'known' : 'unknown']);
    try {
      return await this.#run(input);
    } finally {
      const next = this.#takeNext();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /**
   * Removes and returns the next waiting derivation. Takes known devices first, but only some in a row, so that one of
   * them cannot block all strangers.
   */
  #takeNext(): (() => void) | undefined {
    const { known, unknown } = this.#waiting;
    const isKnown = known.length > 0 && (unknown.length === 0 || this.#knownInARow < MAX_KNOWN_IN_A_ROW);
    this.#knownInARow = isKnown ? this.#knownInARow + 1 : 0;
    return (isKnown ? known : unknown).shift();
  }

  /** Waits until a thread is free. A finished derivation hands its thread to the next one. */
  async #takeTurn(queue: (() => void)[]): Promise<void> {
    if (this.#running < MAX_THREADS) {
      this.#running += 1;
      return;
    }
    if (queue.length >= MAX_WAITING) throw new PasswordsBusy();
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  async #runOnThread(input: KeyInput): Promise<Uint8Array> {
    if (PROGRAM === null) return deriveKey(input);
    const worker = this.#idle.pop() ?? new Worker(PROGRAM, { stdout: true, stderr: true });
    worker.ref();
    worker.postMessage(input);
    // A thread that fails is not used again.
    const [response]: unknown[] = await once(worker, 'message');
    worker.unref();
    this.#idle.push(worker);
    if (response instanceof Uint8Array) return response;
    throw new TsregError(`failed to derive a key from a password: ${String(response)}`, { code: 'bug' });
  }
}
