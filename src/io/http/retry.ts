/**
 * Retries of failed requests. The outer loop, `sendWithRetry`, waits for busy servers. The inner loop retries spurious
 * errors, and starts again from zero after each such wait. Cargo Book: Configuration, `net.retry`.
 */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { CurlError } from './curl-error.ts';
import { isBusy, sendWithRetry } from './send-with-retry.ts';
import { StatusError } from './status-error.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { Transport } from './transport.ts';

/** The pauses of cargo: see `pauseAfter`. */
const FIRST_PAUSE_MS = 500;
const FIRST_JITTER_MS = 1000;
const STEP_MS = 3000;
const MAX_PAUSE_MS = 10_000;

/** Options of retries. */
export interface RetryOptions {
  /** Maximum number of retries of a request. */
  readonly retries: number;
  /** A pause that replaces the usual ones, for tests; null otherwise. */
  readonly fixedPauseMs: number | null;
  /** Returns true for a status that the caller can use. Any other is a `StatusError`. */
  readonly accepts: (status: number) => boolean;
  /**
   * Maximum total wait of one request for responses 429 and 503, as in `sendWithRetry`. Such waits do not count as
   * retries. Null or absent: no waits.
   */
  readonly maxWaitMs?: number | null;
}

/** The result of a request that was sent once. */
export type Outcome = { readonly response: HttpResponse } | { readonly problem: CurlError | StatusError };

/**
 * Prefetches a GET before its response is known to be needed. Prints nothing and does not retry: `getWithRetries`
 * does, if it gets the outcome for the same request. Rejects if the operation is aborted; the caller need not await it.
 */
export function sendPrefetch(
  transport: Transport,
  request: HttpRequest,
  accepts: RetryOptions['accepts'],
): Promise<Outcome> {
  const outcome = attempt(transport, request, accepts);
  outcome.catch(() => {});
  return outcome;
}

/**
 * Sends a GET until it gets an accepted status, fails with an error that a retry cannot fix, or has no retries left.
 * Warns before each pause as cargo does, and respects `Retry-After`. `ahead` is the result of `sendPrefetch`, and
 * counts as the first attempt. Rejects with a `CurlError` or a `StatusError`, or as `sendWithRetry` does.
 */
export function getWithRetries(
  transport: Transport,
  request: HttpRequest,
  {
    ahead = null,
    ...options
  }: RetryOptions & OperationContext & { readonly ahead?: Promise<Outcome> | null },
): Promise<HttpResponse> {
  const { report, signal, maxWaitMs = null } = options;
  const responseErrorIn = (error: unknown): StatusError | null =>
    error instanceof StatusError ? error : null;
  const retryPolicy = { report, signal, maxWaitMs, responseErrorIn };
  let prefetched = ahead;
  const sendOnce = (): Promise<Outcome> => {
    const outcome = prefetched;
    prefetched = null;
    return outcome ?? attempt(transport, request, options.accepts);
  };
  return sendWithRetry(() => sendRepeatedly(sendOnce, { ...options, maxWaitMs }), retryPolicy);
}

/** Calls `sendOnce` until it succeeds, or has used up the retries. */
async function sendRepeatedly(
  sendOnce: () => Promise<Outcome>,
  options: RetryOptions & OperationContext,
): Promise<HttpResponse> {
  for (let failures = 0; ; ) {
    const outcome = await sendOnce();
    if (!('problem' in outcome)) return outcome.response;
    const { problem } = outcome;
    const triesLeft = options.retries - failures;
    // `sendWithRetry` waits for a busy server.
    const isBusyServer = options.maxWaitMs !== null && problem instanceof StatusError && isBusy(problem);
    if (!problem.isSpurious || isBusyServer || triesLeft <= 0) throw problem;
    const reason = problem instanceof StatusError ? problem.shortMessage : problem.message;
    options.report.warning(
      `spurious network error (${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} remaining): ${reason}`,
    );
    failures += 1;
    const requestedMs = problem instanceof StatusError ? problem.retryAfterMs(Date.now()) : null;
    const pauseMs =
      requestedMs === null ? pauseAfter(failures, options.fixedPauseMs) : Math.min(requestedMs, MAX_PAUSE_MS);
    await setTimeout(pauseMs, undefined, { signal: options.signal }).catch(() => {});
    options.signal.throwIfAborted();
  }
}

/** Sends a request once. Rejects only with errors that a retry cannot fix. */
async function attempt(
  transport: Transport,
  request: HttpRequest,
  accepts: (status: number) => boolean,
): Promise<Outcome> {
  try {
    const response = await transport.send(request);
    return accepts(response.status) ? { response } : { problem: new StatusError(response) };
  } catch (error) {
    if (error instanceof CurlError) return { problem: error };
    throw error instanceof TsregError ? error : toError(error);
  }
}

/** Returns the pause after the given number of failures: 0.5 to 1.5 s, then 3.5, 6.5 and 9.5 s, then 10 s. */
export function pauseAfter(failures: number, fixedPauseMs: number | null): number {
  if (fixedPauseMs !== null) return fixedPauseMs;
  if (failures === 1) return FIRST_PAUSE_MS + Math.floor(Math.random() * FIRST_JITTER_MS);
  return Math.min((failures - 1) * STEP_MS + FIRST_PAUSE_MS, MAX_PAUSE_MS);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
