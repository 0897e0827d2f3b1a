/** Interprets failed requests to the upstream. */
import { type CurlCode, CurlError } from '../../io/http/curl-error.ts';
import { StalledTransfer } from '../../io/http/stall-watch.ts';
import { StatusError } from '../../io/http/status-error.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * Codes of curl for errors that are about one response: unsupported protocol, malformed URL, too many redirects, bad
 * content encoding, and body too large.
 */
const ABOUT_ONE_RESPONSE: ReadonlySet<CurlCode> = new Set([1, 3, 47, 61, 63]);

/**
 * Returns whether the failure is about the upstream (`away`), perhaps about one path (`broken`: a server error or a
 * timeout), or certainly about one path (`one-file`).
 */
export function scopeOfFailure(error: unknown): 'away' | 'broken' | 'one-file' {
  // Before the other curl errors, of which it is one.
  if (error instanceof StalledTransfer) return 'broken';
  if (error instanceof StatusError) {
    if (!error.isSpurious) return 'one-file';
    return error.status === TOO_MANY_REQUESTS ? 'away' : 'broken';
  }
  return error instanceof CurlError && !ABOUT_ONE_RESPONSE.has(error.curlCode) ? 'away' : 'one-file';
}

/** Returns one line without the body of the response, which may contain the token. */
export function describeFailure(error: unknown, token: string | null): string {
  if (error instanceof StatusError) {
    const isRefused = error.status === 401 || error.status === 403;
    if (!isRefused) return `it answered with ${error.status}`;
    return `it answered with ${error.status}: ${token === null ? 'it requires a token' : 'it refuses the token'} in \`TSREG_UPSTREAM_TOKEN\``;
  }
  return error instanceof Error ? error.message : String(error);
}
