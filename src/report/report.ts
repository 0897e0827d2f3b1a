/**
 * What an operation tells while it runs. The command line prints it to stderr; the library hands it to
 * its caller. Nothing here is the result.
 */

import type { Snippet } from '../errors/error.ts';
import type { Warning } from '../errors/warning.ts';
import { type Message, type Wording, wordsOf } from '../errors/wording.ts';

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
  warning(warning: Warning | Wording<Warning>): void;
  /** Text behind `error: `: of an error that does not stop the operation at once. */
  error(text: Message): void;
  /** Text behind `note: `, and below it what stands behind `help: `. */
  note(text: Message, help?: string): void;
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

/** A report as callers of the library see it: in tsreg's own words. */
export interface CallerReport extends Omit<Report, 'warning' | 'error' | 'note'> {
  warning(warning: Warning): void;
  /** Text behind `error: `: of an error that does not stop the operation at once. */
  error(text: string): void;
  /** Text behind `note: `, and below it what stands behind `help: `. */
  note(text: string, help?: string): void;
}

/** The methods of a report that its receiver has. */
export type ReportReceiver = { readonly [K in keyof CallerReport]?: CallerReport[K] | undefined };

/** A report that passes on what `receiver` has a method for, and drops the rest. */
export function reportTo(receiver: ReportReceiver): Report {
  return {
    status: (...args) => receiver.status?.(...args),
    warning: (warning) => receiver.warning?.(wordsOf(warning, 'tsreg')),
    error: (text) => receiver.error?.(wordsOf(text, 'tsreg')),
    note: (text, ...help) => receiver.note?.(wordsOf(text, 'tsreg'), ...help),
    snippet: (...args) => receiver.snippet?.(...args),
    progress: (...args) => receiver.progress?.(...args),
    showsProgress: receiver.showsProgress ?? false,
    verbose: (...args) => receiver.verbose?.(...args),
  };
}

/** A call of a method of `Report` that says something. */
export type ReportCall = {
  [K in keyof Report]: Report[K] extends (...args: never[]) => void ? K : never;
}[keyof Report];

/**
 * A report that passes everything on to `receiver`, each call through `pass`, which gets the name of the method and calls
 * `tell` now, later or never.
 */
export function reportThrough(
  receiver: Report,
  pass: (method: ReportCall, tell: () => void) => void,
): Report {
  return {
    status: (...args) => pass('status', () => receiver.status(...args)),
    warning: (...args) => pass('warning', () => receiver.warning(...args)),
    error: (...args) => pass('error', () => receiver.error(...args)),
    note: (...args) => pass('note', () => receiver.note(...args)),
    snippet: (...args) => pass('snippet', () => receiver.snippet(...args)),
    progress: (...args) => pass('progress', () => receiver.progress(...args)),
    get showsProgress() {
      return receiver.showsProgress;
    },
    verbose: (...args) => pass('verbose', () => receiver.verbose(...args)),
  };
}

/** What every operation gets beside its values. */
export interface OperationContext {
  readonly report: Report;
  readonly signal: AbortSignal;
}
