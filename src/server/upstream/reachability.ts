import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * Whether a part of the upstream can be reached, and a pause after failures, which grows from one second to half a
 * minute: while it lasts, nobody waits for what will not come.
 */
export class Reachability {
  readonly #part: string;
  readonly #context: { readonly clock: Clock; readonly log: Log };
  #failures = 0;
  #awayUntilMs = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #reason = '';
  /** What alone was refused since the last success. */
  #refused: string | null = null;

  /** `part` is what it is called in the log. */
  constructor(part: string, context: { readonly clock: Clock; readonly log: Log }) {
    this.#part = part;
    this.#context = context;
  }

  /** False from a failure to the next success. */
  get isReached(): boolean {
    return this.#failures === 0;
  }

  /** Why it is not worth while to ask now; null if it is. */
  get reasonToWait(): string | null {
    return this.#context.clock.now() < this.#awayUntilMs ? this.#reason : null;
  }

  /** A request was answered. */
  succeeded(): void {
    if (this.#failures > 0) this.#context.log.info('upstream-back', { part: this.#part });
    this.#failures = 0;
    this.#awayUntilMs = 0;
    this.#refused = null;
  }

  /** An answer said that the server is not well, or did not come in time. Of one path alone that tells nothing about the others. */
  refused(path: string, reason: string, beganAtMs: number): void {
    this.#refused ??= path;
    if (this.#failures > 0 || path !== this.#refused) this.failed(reason, beganAtMs);
  }

  /** A request that began at `beganAtMs` was not. Of those that fail at the same time one counts. */
  failed(reason: string, beganAtMs: number): void {
    if (beganAtMs <= this.#failedAtMs) return;
    const { clock, log } = this.#context;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
    this.#failures += 1;
    this.#failedAtMs = clock.now();
    this.#awayUntilMs = this.#failedAtMs + pauseMs;
    this.#reason = reason;
    log.warning('upstream-away', { part: this.#part, reason, pauseMs });
  }
}
