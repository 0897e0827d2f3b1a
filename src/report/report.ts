/**
 * What an operation tells while it runs. The command line prints it to stderr; the library hands it to
 * its caller. Nothing here is the result.
 */

import type { Snippet } from '../errors/error.ts';

/** Colour class of a status word, as cargo has them. */
export type StatusStyle = 'header' | 'good' | 'note' | 'warn' | 'error';

/** State of a progress bar. */
export interface Progress {
  /** Status word in front of the bar, `Fetching` for example. */
  readonly verb: string;
  readonly done: number;
  readonly total: number;
  /** Text behind the bar. */
  readonly message: string;
}

/** Receives what an operation says, in order. */
export interface Report {
  /** `   Updating crates.io index`; `style` is `header` unless given. */
  status(verb: string, text: string, style?: StatusStyle): void;
  /** Text behind `warning: `; may have several lines. */
  warning(text: string): void;
  /** Text behind `note: `. */
  note(text: string): void;
  /**
   * A place in a file that is wrong and does not stop the operation: an annotated source line, as for an error
   * with a snippet.
   */
  snippet(snippet: Snippet): void;
  /** Shows a bar, or takes it away (null). Not every receiver shows bars. */
  progress(state: Progress | null): void;
  /** True if bars are seen: then cargo sums downloads up in one line instead of announcing them. */
  readonly showsProgress: boolean;
  /** Only said with `-v`. */
  verbose(verb: string, text: string): void;
}

/** What every operation gets beside its values. */
export interface OperationContext {
  readonly report: Report;
  readonly signal: AbortSignal;
}
