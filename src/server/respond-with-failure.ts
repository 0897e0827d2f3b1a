/** Turns the errors of request handlers into responses of the web API. */
import { TsregError } from '../core/errors/error.ts';
import { ApiError, respondWithError } from './http/api-error.ts';
import { type HttpContext, requestIdOf } from './http/http-env.ts';
import { NoLongerAllowed } from './records/authorize.ts';
import { ReadOnlyRecords } from './records/read-only.ts';
import type { ServerContext } from './server-context.ts';
import { isDiskFullError } from './shared/full-disk.ts';
import { GateRefusal } from './shared/gate-refusal.ts';
import { TooMuchWork } from './shared/paced-work.ts';
import { reasonOf } from './shared/reason-of.ts';
import { isStoreAway } from './shared/store-away.ts';
import { TaskFailure } from './shared/task-threads.ts';
import { UpstreamProblem } from './shared/upstream-problem.ts';

/**
 * Returns the response to a failed request. `Retry-After` grows with the time that the failure usually lasts. Logs
 * failures of the server, whose details clients must not see. `errorViewOf` does the same for pages: keep in step.
 */
export function respondWithFailure(error: Error, c: HttpContext, { log }: ServerContext): Response {
  if (error instanceof ApiError) return respondWithError(c, error);
  if (error instanceof UpstreamProblem) return respondWithError(c, new ApiError(502, error.message));
  if (error instanceof GateRefusal) return respondWithError(c, new ApiError(403, error.message));
  const id = requestIdOf(c);
  if (error instanceof NoLongerAllowed) return respondWithError(c, new ApiError(403, error.message));
  if (error instanceof TaskFailure && error.kind === 'busy') {
    const detail = 'the registry has too many archives to check at the moment; try again later';
    return respondWithError(c, new ApiError(503, detail, { 'Retry-After': '30' }));
  }
  if (error instanceof TooMuchWork) {
    const detail = 'the registry has too many searches to answer at the moment; try again later';
    return respondWithError(c, new ApiError(503, detail, { 'Retry-After': '5' }));
  }
  if (error instanceof ReadOnlyRecords) {
    return respondWithError(c, new ApiError(503, error.message, { 'Retry-After': '30' }));
  }
  if (isStoreAway(error)) {
    log.error('store-away', { id, reason: reasonOf(error) });
    const detail = 'the storage of the registry does not respond; try again later';
    return respondWithError(c, new ApiError(503, detail, { 'Retry-After': '5' }));
  }
  if (isDiskFullError(error)) {
    log.error('no-room', { id, reason: reasonOf(error) });
    const detail = 'the disk of the registry is full; the operator must free disk space';
    return respondWithError(c, new ApiError(503, detail, { 'Retry-After': '60' }));
  }
  const cause = error instanceof TsregError && error.cause instanceof Error ? error.cause.message : null;
  const help = error instanceof TsregError && error.hint !== null ? { help: error.hint } : {};
  log.error('request-failed', { id, reason: error.message, cause, ...help, stack: error.stack ?? null });
  const request = id === null ? '' : ` (request ${id})`;
  return respondWithError(
    c,
    new ApiError(500, `internal error: the log of the server has the details${request}`),
  );
}
