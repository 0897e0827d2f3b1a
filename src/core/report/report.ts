/**
 * Messages of a running operation. The command line prints them to stderr; the library passes them to its caller.
 * Results are not reported here.
 */

import type { Snippet } from '../errors/error.ts';
import type { Warning } from '../errors/warning.ts';
import { type Message, type Wording, wordsOf } from '../errors/wording.ts';

/** The styles of a status word, as in cargo. */
export type StatusStyle = 'header' | 'good' | 'note' | 'warn' | 'error' | 'emphasis';

/** Options of a status line. */
export interface StatusOptions {
  /** The style of the status word. Default: `header`. */
  readonly style?: StatusStyle;
  /** A remark after the text, in a separate style (null: none). */
  readonly remark?: { readonly text: string; readonly style: StatusStyle | null };
}

/** The state of a progress bar. */
export interface Progress {
  /** The status word before the bar, such as `Fetching`. */
  readonly verb: string;
  readonly done: number;
  readonly total: number;
  /** Text after the bar that replaces the two numbers. */
  readonly counts?: string;
  /** Text after the bar and the counts. */
  readonly message: string;
}

/** A receiver of the messages of an operation, in order. */
export interface Report {
  /** Reports a step, such as `   Updating crates.io index`. `verb` is the status word. */
  status(verb: string, text: string, options?: StatusOptions): void;
  warning(warning: Warning | Wording<Warning>): void;
  /** Reports an error that does not stop the operation at once. `text` follows `error: `. */
  error(text: Message): void;
  /** Reports a note. `text` follows `note: `, `help` follows `help: `. */
  note(text: Message, help?: string): void;
  /** Reports a problem in a file that does not stop the operation, as an annotated source line. */
  snippet(snippet: Snippet): void;
  /** Shows a progress bar, or hides it (null). Not every receiver shows bars. */
  progress(state: Progress | null): void;
  /** True if bars are visible. Then, as in cargo, one line summarizes all downloads instead of a line for each. */
  readonly showsProgress: boolean;
  /** Reports a step like `status`, for receivers that show details (`-v`). */
  verbose(verb: string, text: string): void;
}

/** A report for callers of the library, with tsreg's messages. */
export interface CallerReport extends Omit<Report, 'warning' | 'error' | 'note'> {
  warning(warning: Warning): void;
  /** Reports an error that does not stop the operation at once. `text` follows `error: `. */
  error(text: string): void;
  /** Reports a note. `text` follows `note: `, `help` follows `help: `. */
  note(text: string, help?: string): void;
}

/** The methods of a report that its receiver implements. */
export type ReportReceiver = { readonly [K in keyof CallerReport]?: CallerReport[K] | undefined };

/** Returns a report that calls the methods of `receiver`, and ignores messages without a method. */
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

/** The methods of `Report` that report something. */
export type ReportCall = {
  [K in keyof Report]: Report[K] extends (...args: never[]) => void ? K : never;
}[keyof Report];

/**
 * Returns a report that passes all calls on to `receiver`, each through `pass`. That gets the name of the method, and
 * calls `call` now, later or never.
 */
export function reportThrough(
  receiver: Report,
  pass: (method: ReportCall, call: () => void) => void,
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

/** The context of every operation. */
export interface OperationContext {
  readonly report: Report;
  readonly signal: AbortSignal;
}
