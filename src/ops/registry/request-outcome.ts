/** What is certain after a request without a good answer. */
import { TsregError } from '../../errors/error.ts';
import { CurlError } from '../../http/curl-error.ts';
import { ApiError, isSuccess } from '../../web-api/api-error.ts';

/** Failures before anything could be sent: no address, no connection, no TLS. */
const NOT_SENT: ReadonlySet<number> = new Set([3, 5, 6, 7, 35, 60, 77]);

/**
 * What is certain of a request that failed so: `not-sent` where nothing can have been sent, `refused` where the registry
 * said no, `unknown` otherwise.
 */
export function outcomeOf(error: unknown): 'not-sent' | 'refused' | 'unknown' {
  const answer = answerBehind(error);
  if (answer !== null) return outcomeOfAnswer(answer);
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) {
    if (at instanceof CurlError) {
      return at.isRefusedProtocol || NOT_SENT.has(at.curlCode) ? 'not-sent' : 'unknown';
    }
  }
  // A token that cannot be sent.
  return error instanceof TsregError && error.code === 'auth' ? 'not-sent' : 'unknown';
}

/** The answer that a failure tells of; null where there was none. */
export function answerBehind(error: unknown): ApiError | null {
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) {
    if (at instanceof ApiError) return at;
  }
  return null;
}

function outcomeOfAnswer({ status, details }: ApiError): 'refused' | 'unknown' {
  if (details !== null) return 'refused';
  return isSuccess(status) || status >= 500 ? 'unknown' : 'refused';
}
