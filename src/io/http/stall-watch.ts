/** Detection of stalled transfers. Cargo Book: Configuration, `http.low-speed-limit`. */
import { CurlError } from './curl-error.ts';

/** A transfer, as the watch sees it. */
export interface WatchedTransfer {
  /** False while it waits for a connection. */
  readonly isStarted: boolean;
  /** Bytes so far. */
  readonly received: number;
  readonly sent: number;
  abort(reason: CurlError): void;
}

/**
 * The definition of a transfer that is too slow. `amount`: fewer bytes than the limit move, in both directions
 * together, in a whole timeout. `rate`: fewer bytes than the limit move in each second of a whole timeout, as in curl.
 */
export type StallRule = 'amount' | 'rate';

/** The error of a transfer that was too slow. Its connection worked, so other transfers may be fast. */
export class StalledTransfer extends CurlError {
  /** `detail` is added to curl's text; `message` replaces it. */
  constructor(words: { readonly detail: string } | { readonly message: string }) {
    if ('detail' in words) super(28, words.detail);
    else super(28, null, words);
  }
}

/** The progress of one transfer. */
interface Pace {
  readonly rule: StallRule;
  /** Bytes at the last check. */
  total: number;
  /** When the transfer was last fast enough (by `performance.now`), and its bytes at that time. */
  fastAt: number;
  fastTotal: number;
}

/** A watch that checks transfers several times per timeout, and aborts those that were too slow for all of it. */
export class StallWatch {
  /** 0 for none: then it watches nothing. */
  readonly #timeoutMs: number;
  /** Bytes per second. */
  readonly #lowSpeedLimit: number;
  readonly #paces = new Map<WatchedTransfer, Pace>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { readonly timeoutMs: number; readonly lowSpeedLimit: number }) {
    this.#timeoutMs = options.timeoutMs;
    this.#lowSpeedLimit = options.lowSpeedLimit;
  }

  /** Watches a transfer until `delete`. */
  add(transfer: WatchedTransfer, rule: StallRule): void {
    if (this.#timeoutMs === 0) return;
    this.#paces.set(transfer, { rule, total: 0, fastAt: performance.now(), fastTotal: 0 });
    const everyMs = Math.min(1000, this.#timeoutMs / 4);
    this.#timer ??= setInterval(() => this.#check(everyMs), everyMs).unref();
  }

  /** Stops watching a transfer. */
  delete(transfer: WatchedTransfer): void {
    this.#paces.delete(transfer);
    if (this.#paces.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Aborts transfers that were too slow for a whole timeout. Called every `everyMs`. */
  #check(everyMs: number): void {
    const now = performance.now();
    for (const [transfer, pace] of this.#paces) {
      const total = transfer.received + transfer.sent;
      const movedBytes = total - pace.total;
      const movedSinceFast = total - pace.fastTotal;
      pace.total = total;
      const isFast =
        pace.rule === 'rate'
          ? movedBytes >= (this.#lowSpeedLimit * everyMs) / 1000
          : movedSinceFast >= this.#lowSpeedLimit;
      // Connecting has a separate timeout.
      if (!transfer.isStarted || isFast) {
        pace.fastAt = now;
        pace.fastTotal = total;
      } else if (now - pace.fastAt >= this.#timeoutMs) {
        transfer.abort(this.#stallError(pace.rule, movedSinceFast));
      }
    }
  }

  /** Returns the error of a transfer: that of curl for `rate`, that of cargo for `amount`. */
  #stallError(rule: StallRule, transferred: number): StalledTransfer {
    const limit = this.#lowSpeedLimit;
    const seconds = Math.floor(this.#timeoutMs / 1000);
    if (rule === 'rate') {
      const detail = `Operation too slow. Less than ${limit} bytes/sec transferred the last ${seconds} seconds`;
      return new StalledTransfer({ detail });
    }
    return new StalledTransfer({
      message: `transfer too slow: failed to transfer more than ${limit} bytes in ${seconds}s (transferred ${transferred} bytes)`,
    });
  }
}
