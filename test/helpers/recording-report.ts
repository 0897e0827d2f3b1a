/** A report that remembers what was said. */
import type { OperationContext, Progress, Report } from '../../src/report/report.ts';

/** `lines` grows with each thing said: `Updating crates.io index`, `warning: …`, `note: …`, `verbose: …`. */
export function recordingContext(
  signal: AbortSignal = new AbortController().signal,
  showsProgress = false,
): { readonly context: OperationContext; readonly lines: string[]; readonly bars: (Progress | null)[] } {
  const lines: string[] = [];
  const bars: (Progress | null)[] = [];
  const report: Report = {
    status: (verb, text) => void lines.push(`${verb} ${text}`),
    warning: (text) => void lines.push(`warning: ${text}`),
    note: (text) => void lines.push(`note: ${text}`),
    verbose: (verb, text) => void lines.push(`verbose: ${verb} ${text}`),
    snippet: ({ path, message }) => void lines.push(`snippet: ${path}: ${message}`),
    progress: (state) => void bars.push(state),
    showsProgress,
  };
  const context: OperationContext = { report, signal };
  return { context, lines, bars };
}
