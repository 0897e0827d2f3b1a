/** Noticing transfers that do not come forward. Cargo Book: Configuration, `http.low-speed-limit`. */
import { CurlError } from './curl-error.ts';

/** A transfer as far as it must be known here. */
export interface Watched {
  readonly isStarted: boolean;
  /** Bytes so far. */
  readonly received: number;
  readonly sent: number;
  /** What is downloaded, if the words are to name it. */
  readonly subject: string | null;
  abort(reason: CurlError): void;
}

/** The end of a transfer that was too slow. Its connection stood, so others may be fast. */
export class StalledTransfer extends CurlError {
  constructor(detail: string) {
    super(28, detail);
  }
}

interface Pace {
  moved: number;
  /** When the transfer last had anything, and when it last was fast enough. */
  movedAt: number;
  fastAt: number;
}

/** Looks at all transfers a few times a timeout and ends those that were too slow for all of it. */
export class StallWatch {
  readonly #timeoutMs: number;
  readonly #lowSpeedLimit: number;
  readonly #paces = new Map<Watched, Pace>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { readonly timeoutMs: number; readonly lowSpeedLimit: number }) {
    this.#timeoutMs = options.timeoutMs;
    this.#lowSpeedLimit = options.lowSpeedLimit;
  }

  add(transfer: Watched): void {
    if (this.#timeoutMs === 0) return;
    const now = performance.now();
    this.#paces.set(transfer, { moved: 0, movedAt: now, fastAt: now });
    const everyMs = Math.min(1000, this.#timeoutMs / 4);
    this.#timer ??= setInterval(() => this.#look(everyMs), everyMs).unref();
  }

  delete(transfer: Watched): void {
    this.#paces.delete(transfer);
    if (this.#paces.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(everyMs: number): void {
    const now = performance.now();
    for (const [transfer, pace] of this.#paces) {
      const total = transfer.received + transfer.sent;
      const moved = total - pace.moved;
      pace.moved = total;
      // What waits for a connection is timed by the connector.
      if (moved > 0 || !transfer.isStarted) pace.movedAt = now;
      if (!transfer.isStarted || moved >= (this.#lowSpeedLimit * everyMs) / 1000) pace.fastAt = now;
      if (now - pace.fastAt >= this.#timeoutMs)
        transfer.abort(this.#stallError(transfer, now - pace.movedAt));
    }
  }

  #stallError({ subject }: Watched, stillMs: number): StalledTransfer {
    const seconds = Math.floor(this.#timeoutMs / 1000);
    if (subject === null) {
      const limit = `Less than ${this.#lowSpeedLimit} bytes/sec transferred the last ${seconds} seconds`;
      return new StalledTransfer(`Operation too slow. ${limit}`);
    }
    return new StalledTransfer(
      stillMs >= this.#timeoutMs / 2
        ? `failed to download any data for \`${subject}\` within ${seconds}s`
        : `download of \`${subject}\` failed to transfer more than ${this.#lowSpeedLimit} bytes in ${seconds}s`,
    );
  }
}
