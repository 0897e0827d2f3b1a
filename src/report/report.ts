/**
 * What an operation tells while it runs. The command line prints it to stderr; the library hands it to
 * its caller. Nothing here is the result.
 */

import type { Snippet } from '../errors/error.ts';
import type { Warning } from '../errors/warning.ts';

/** Colour class of a status word, as cargo has them. */
export type StatusStyle = 'header' | 'good' | 'note' | 'warn' | 'error' | 'emphasis';

/** What a status line has beside its words. */
export interface StatusOptions {
  /** Of the status word; `header` unless given. */
  readonly style?: StatusStyle;
  /** Stands behind the text, in a colour of its own (null: in none). */
  readonly remark?: { readonly text: string; readonly style: StatusStyle | null };
}

/** State of a progress bar. */
export interface Progress {
  /** Status word in front of the bar, `Fetching` for example. */
  readonly verb: string;
  readonly done: number;
  readonly total: number;
  /** Stands behind the bar instead of the two numbers. */
  readonly counts?: string;
  /** Text behind the bar and the counts. */
  readonly message: string;
}

/** Receives what an operation says, in order. */
export interface Report {
  /** `   Updating crates.io index`. */
  status(verb: string, text: string, options?: StatusOptions): void;
  warning(warning: Warning): void;
  /** Text behind `note: `, and below it what stands behind `help: `. */
  note(text: string, help?: string): void;
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

/** A report, as far as somebody wants to receive it. */
export type ReportReceiver = { readonly [K in keyof Report]?: Report[K] | undefined };

/** A report that passes on what `receiver` has a method for, and drops the rest. */
export function reportTo(receiver: ReportReceiver): Report {
  return {
    status: (verb, text, options) => receiver.status?.(verb, text, options),
    warning: (warning) => receiver.warning?.(warning),
    note: (text, help) => receiver.note?.(text, help),
    snippet: (snippet) => receiver.snippet?.(snippet),
    progress: (state) => receiver.progress?.(state),
    showsProgress: receiver.showsProgress ?? false,
    verbose: (verb, text) => receiver.verbose?.(verb, text),
  };
}

/** What every operation gets beside its values. */
export interface OperationContext {
  readonly report: Report;
  readonly signal: AbortSignal;
}
