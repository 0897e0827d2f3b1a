/** When a server wants to be asked again. */
import type { HttpResponse } from './message.ts';

/**
 * How long a `Retry-After` header asks to be left alone, counted from `now` (milliseconds since 1970): it has seconds or
 * a date. Null where there is none, or none that lies ahead. Of several the last counts.
 */
export function retryAfterMs(headers: HttpResponse['headers'], now: number): number | null {
  const value = headers.findLast(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim();
  if (value === undefined) return null;
  if (/^\+?\d+$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value) - now;
  return until > 0 ? until : null;
}
