/** The known outcome of a failed request. */
import { TsregError } from '../../../core/errors/error.ts';
import { CurlError } from '../../../io/http/curl-error.ts';
import { ApiError, isSuccess } from '../../../io/web-api/api-error.ts';

/** Codes of libcurl (libcurl-errors(3)) for failures before anything is sent: no address, no connection, no TLS. */
const NOT_SENT: ReadonlySet<number> = new Set([3, 5, 6, 7, 35, 60, 77]);

/**
 * Returns the known outcome of a failed request: `not-sent` if nothing was sent, `refused` if the registry refused it,
 * otherwise `unknown`.
 */
export function outcomeOf(error: unknown): 'not-sent' | 'refused' | 'unknown' {
  const response = responseBehind(error);
  if (response !== null) return outcomeOfResponse(response);
  for (let cause: unknown = error; cause instanceof TsregError; cause = cause.cause) {
    if (cause instanceof CurlError) {
      return cause.isRefusedProtocol || NOT_SENT.has(cause.curlCode) ? 'not-sent' : 'unknown';
    }
  }
  // The token could not be sent.
  return error instanceof TsregError && error.code === 'auth' ? 'not-sent' : 'unknown';
}

/**
 * The status of one of several changes. `failed`: the registry refused it. `unknown`: it was sent, but its outcome is
 * unknown. `pending`: nothing was sent to the registry.
 */
export type ChangeStatus = 'done' | 'failed' | 'unknown' | 'pending';

/** Returns the status of a change whose request failed with `error`, or was interrupted by `signal`. */
export function statusAfter(error: unknown, signal: AbortSignal): Exclude<ChangeStatus, 'done'> {
  const outcome = signal.aborted ? 'unknown' : outcomeOf(error);
  return ({ 'not-sent': 'pending', refused: 'failed', unknown: 'unknown' } as const)[outcome];
}

/** Returns the server's response in the causes of an error; null if there is none. */
export function responseBehind(error: unknown): ApiError | null {
  for (let cause: unknown = error; cause instanceof TsregError; cause = cause.cause) {
    if (cause instanceof ApiError) return cause;
  }
  return null;
}

/** A registry explains a refusal in `details`. Without them, a proxy may have sent the response. */
function outcomeOfResponse({ status, details }: ApiError): 'refused' | 'unknown' {
  if (details !== null) return 'refused';
  return isSuccess(status) || status >= 500 ? 'unknown' : 'refused';
}
