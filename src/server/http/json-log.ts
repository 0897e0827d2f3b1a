/** The log: one JSON object per line. */
import type { Clock } from '../shared/clock.ts';
import type { Log, LogValues } from '../shared/log.ts';
import { withoutTokens } from '../auth/tokens.ts';

/** Options of a log. */
export interface JsonLogOptions {
  readonly clock: Clock;
  /** Gets whole lines. All lines of one turn of the event loop come in one call. */
  readonly write: (lines: string) => void;
  /** Whether to log only warnings and errors. */
  readonly isQuiet: boolean;
}

/** A log whose lines have the fields `time` (RFC 3339), `level` and `event`, and those of the event. */
export class JsonLog implements Log {
  readonly #options: JsonLogOptions;
  #waiting: string[] = [];

  constructor(options: JsonLogOptions) {
    this.#options = options;
  }

  info(event: string, values: LogValues = {}): void {
    if (!this.#options.isQuiet) this.#add('info', event, values);
  }

  warning(event: string, values: LogValues = {}): void {
    this.#add('warning', event, values);
  }

  error(event: string, values: LogValues = {}): void {
    this.#add('error', event, values);
  }

  /** Writes the buffered lines. */
  flush(): void {
    const lines = this.#waiting.join('');
    this.#waiting = [];
    if (lines !== '') this.#options.write(lines);
  }

  #add(level: string, event: string, values: LogValues): void {
    const time = new Date(this.#options.clock.now()).toISOString();
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    // A client may have put a token in the wrong place, such as a path.
    this.#waiting.push(`${withoutTokens(JSON.stringify({ time, level, event, ...values }))}\n`);
  }
}
