import type { Clock } from '../shared/clock.ts';
import type { Log, LogValues } from '../shared/log.ts';

/** How important an event is. */
export type LogLevel = 'info' | 'warning' | 'error';

/** An event of the log. */
export interface LogEntry {
  readonly atMs: number;
  readonly level: LogLevel;
  readonly event: string;
  readonly values: LogValues;
}

/** Options of a log. */
export interface LineLogOptions {
  readonly clock: Clock;
  /** Returns the text of an entry with its line end; empty for an entry that is not written. */
  readonly format: (entry: LogEntry) => string;
  /** Gets whole lines. All lines of one turn of the event loop come in one call. */
  readonly write: (lines: string) => void;
  /** Whether to log only warnings and errors. */
  readonly isQuiet: boolean;
}

/** A log that writes lines. */
export class LineLog implements Log {
  readonly #options: LineLogOptions;
  #waiting: string[] = [];

  constructor(options: LineLogOptions) {
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

  #add(level: LogLevel, event: string, values: LogValues): void {
    const { clock, format } = this.#options;
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push(format({ atMs: clock.now(), level, event, values }));
  }
}
