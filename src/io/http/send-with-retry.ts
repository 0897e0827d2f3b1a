/** Retries for busy servers. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import { humanTime } from '../../core/report/human-time.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { HttpResponse } from './message.ts';
import { retryAfterMs } from './retry-after.ts';

/** An error that represents a response. */
export interface ResponseError extends TsregError {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** The server's words, in one line that is safe to print; null if there is none. */
  readonly words: string | null;
}

/** The retry policy for a busy server. */
export interface RetryPolicy<E extends ResponseError> extends OperationContext {
  /** Maximum total wait; null for no wait. */
  readonly maxWaitMs: number | null;
  /** Returns the response that an error stands for, or null. */
  readonly responseErrorIn: (error: unknown) => E | null;
  /** Called after a wait; false ends the operation with the error. Default: repeat. */
  readonly mayRepeat?: (error: E) => Promise<boolean>;
}

/** The first pause if the server requests none, and the minimum pause. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
/** The time between two updates of the countdown. */
const TICK_MS = 1000;

/** Returns true for a response by which a server reports that it is busy. */
export function isBusy({ status }: { readonly status: number }): boolean {
  return status === 429 || status === 503;
}

/**
 * Calls `send`, and again after each response 429 or 503, unless `mayRepeat` returns false. Prints a message about each
 * wait, and a countdown if progress bars are shown. Throws if a wait would exceed the rest of `maxWaitMs`. Rethrows any
 * other error, and the last one if the wait is interrupted.
 */
export async function sendWithRetry<T, E extends ResponseError>(
  send: () => Promise<T>,
  retryPolicy: RetryPolicy<E>,
): Promise<T> {
  let leftMs = retryPolicy.maxWaitMs ?? 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const response = retryPolicy.maxWaitMs === null ? null : retryPolicy.responseErrorIn(error);
      if (response === null || !isBusy(response)) throw error;
      const requestedMs = retryAfterMs(response.headers, Date.now());
      const pauseMs =
        requestedMs === null
          ? Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS)
          : Math.max(requestedMs, FIRST_PAUSE_MS);
      if (pauseMs > leftMs) throw waitTooLongError(response, { requestedMs, leftMs });
      leftMs -= pauseMs;
      await pause(pauseMs, response, retryPolicy);
      if (retryPolicy.signal.aborted) throw error;
      if (retryPolicy.mayRepeat !== undefined && !(await retryPolicy.mayRepeat(response))) throw error;
    }
  }
}

/** Returns the error for a wait that `maxWaitMs` does not allow. `requestedMs` is null if the server names none. */
function waitTooLongError(
  cause: ResponseError,
  { requestedMs, leftMs }: { readonly requestedMs: number | null; readonly leftMs: number },
): TsregError {
  const reason =
    requestedMs === null || requestedMs === 0
      ? 'the registry is still busy'
      : `the registry asks for a wait of ${humanTime(requestedMs)}`;
  return new TsregError(`${reason}, but \`--max-wait\` leaves only ${humanTime(leftMs)}`, { cause });
}

/** Waits for `pauseMs`; returns early if the signal is aborted. */
async function pause(
  pauseMs: number,
  { status, words }: ResponseError,
  { report, signal }: OperationContext,
): Promise<void> {
  // The wall clock may be changed during the wait.
  const endsAt = performance.now() + pauseMs;
  const endTime = new Date(Date.now() + pauseMs).toISOString();
  const explanation = words === null ? '' : `: ${words}`;
  report.status(
    'Waiting',
    `${humanTime(pauseMs)} for the registry, until ${endTime} (status ${status})${explanation}`,
  );
  try {
    for (let leftMs = pauseMs; leftMs > 0; leftMs = endsAt - performance.now()) {
      report.progress({
        verb: 'Waiting',
        done: Math.floor((pauseMs - leftMs) / 1000),
        total: Math.ceil(pauseMs / 1000),
        message: `: ${humanTime(leftMs)} left`,
      });
      await setTimeout(Math.min(leftMs, TICK_MS), undefined, { signal });
    }
  } catch (failure) {
    if (!signal.aborted) throw failure;
  } finally {
    report.progress(null);
  }
}
