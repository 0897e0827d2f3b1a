/** A report that records its messages. */
import { formatWarning } from '../../src/core/errors/warning.ts';
import { wordsOf } from '../../src/core/errors/wording.ts';
import type { LockContext } from '../../src/io/disk/file-lock.ts';
import type { Progress, Report } from '../../src/core/report/report.ts';
import { onWindows } from './system.ts';

/**
 * Returns a context whose messages are added to `lines`: `Updating crates.io index`, `warning: …`, `note: …`, `verbose:
 * …`.
 */
export function recordingContext(
  signal: AbortSignal = new AbortController().signal,
  showsProgress = false,
): { readonly context: LockContext; readonly lines: string[]; readonly bars: (Progress | null)[] } {
  const lines: string[] = [];
  const bars: (Progress | null)[] = [];
  const report: Report = {
    status: (verb, text, { remark } = {}) =>
      void lines.push(`${verb} ${text}${remark === undefined ? '' : ` ${remark.text}`}`),
    warning: (warning) => void lines.push(formatWarning(wordsOf(warning, 'tsreg'))),
    error: (text) => void lines.push(`error: ${wordsOf(text, 'tsreg')}`),
    note: (text) => void lines.push(`note: ${wordsOf(text, 'tsreg')}`),
    verbose: (verb, text) => {
      // On Windows, every run that stores packages prints it.
      if (!onWindows || verb !== 'Locking') lines.push(`verbose: ${verb} ${text}`);
    },
    snippet: ({ path, message }) => void lines.push(`snippet: ${path}: ${message}`),
    progress: (state) => void bars.push(state),
    showsProgress,
  };
  const context: LockContext = { report, signal, env: process.env };
  return { context, lines, bars };
}
