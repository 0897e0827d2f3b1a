/** The log for programs: one JSON object per line. */
import { withoutTokens } from '../auth/tokens.ts';
import type { LogEntry } from './line-log.ts';

/** Returns an entry as a line with the fields `time` (RFC 3339), `level` and `event`, and its values. */
export function jsonLine({ atMs, level, event, values }: LogEntry): string {
  const time = new Date(atMs).toISOString();
  // A client may have put a token in the wrong place, such as a path.
  return `${withoutTokens(JSON.stringify({ time, level, event, ...values }))}\n`;
}
