/** The `Retry-After` header. */
import type { HttpResponse } from './message.ts';

/**
 * Returns the wait that a `Retry-After` header requests, as seconds or as a date. `now` is in milliseconds since
 * 1970. Null if there is no such header, or its date is past or invalid. Of several headers the last counts.
 */
export function retryAfterMs(headers: HttpResponse['headers'], now: number): number | null {
  const value = headers.findLast(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim();
  if (value === undefined) return null;
  if (/^\+?\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) - now;
  return until > 0 ? until : null;
}
