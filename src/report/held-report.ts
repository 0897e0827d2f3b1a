import type { Progress, Report, StatusOptions } from './report.ts';
import type { Snippet } from '../errors/error.ts';
import type { Warning } from '../errors/warning.ts';

/** A report that keeps what it is told until `release`; then, and from then on, it passes everything on in order. */
export class HeldReport implements Report {
  readonly #receiver: Report;
  #kept: (() => void)[] | null = [];

  constructor(receiver: Report) {
    this.#receiver = receiver;
  }

  release(): void {
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const tell of kept) tell();
  }

  status(verb: string, text: string, options?: StatusOptions): void {
    this.#tell(() => this.#receiver.status(verb, text, options));
  }

  warning(warning: Warning): void {
    this.#tell(() => this.#receiver.warning(warning));
  }

  note(text: string): void {
    this.#tell(() => this.#receiver.note(text));
  }

  snippet(snippet: Snippet): void {
    this.#tell(() => this.#receiver.snippet(snippet));
  }

  progress(state: Progress | null): void {
    this.#tell(() => this.#receiver.progress(state));
  }

  get showsProgress(): boolean {
    return this.#receiver.showsProgress;
  }

  verbose(verb: string, text: string): void {
    this.#tell(() => this.#receiver.verbose(verb, text));
  }

  #tell(tell: () => void): void {
    if (this.#kept === null) tell();
    else this.#kept.push(tell);
  }
}
