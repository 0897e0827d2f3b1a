import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * The state of a part of the upstream. Each failure starts a pause, which grows from one second to half a minute, so
 * that no client waits for a response that will not come.
 */
export class Reachability {
  readonly #part: string;
  readonly #context: { readonly clock: Clock; readonly log: Log };
  /** Failures since the last success. */
  #failures = 0;
  /** The end of the pause. */
  #awayUntilMs = 0;
  /** Time of the last failure that counted. */
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #reason = '';
  /** The first path with a server error or a timeout since the last success. */
  #firstFailedPath: string | null = null;

  /** `part` is the name in the log. */
  constructor(part: string, context: { readonly clock: Clock; readonly log: Log }) {
    this.#part = part;
    this.#context = context;
  }

  /** False from a failure to the next success. */
  get isReached(): boolean {
    return this.#failures === 0;
  }

  /** The reason not to send a request during a pause; null outside of one. */
  get reasonToWait(): string | null {
    return this.#context.clock.now() < this.#awayUntilMs ? this.#reason : null;
  }

  /** Notes a response, which ends the pause. */
  succeeded(): void {
    if (this.#failures > 0) this.#context.log.info('upstream-back', { part: this.#part });
    this.#failures = 0;
    this.#awayUntilMs = 0;
    this.#firstFailedPath = null;
  }

  /**
   * Notes a server error or a timeout of `path`. It counts as a failure only if this part is failing already or another
   * path is affected too: one path says nothing about the others.
   */
  pathFailed(path: string, reason: string, beganAtMs: number): void {
    this.#firstFailedPath ??= path;
    if (this.#failures > 0 || path !== this.#firstFailedPath) this.failed(reason, beganAtMs);
  }

  /** Notes a failed request that began at `beganAtMs`. Of concurrent failures only one counts. */
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
