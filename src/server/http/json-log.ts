/** The log: one JSON object a line. */
import type { Clock } from '../clock.ts';
import type { Log, LogValues } from '../log.ts';
import { withoutTokens } from '../tokens.ts';

/** How a log is written. */
export interface JsonLogOptions {
  readonly clock: Clock;
  /** Gets whole lines; what one turn of the event loop logs comes at once. */
  readonly write: (lines: string) => void;
  /** True to leave out what is neither a warning nor an error. */
  readonly isQuiet: boolean;
}

/** A log with fields `time` (RFC 3339), `level`, `event` and those of the event. */
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

  /** Writes what has not been written yet. */
  flush(): void {
    const lines = this.#waiting.join('');
    this.#waiting = [];
    if (lines !== '') this.#options.write(lines);
  }

  #add(level: string, event: string, values: LogValues): void {
    const time = new Date(this.#options.clock.now()).toISOString();
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    // Someone may have put a token where it does not belong, into a path for example.
    this.#waiting.push(`${withoutTokens(JSON.stringify({ time, level, event, ...values }))}\n`);
  }
}
