/** Waiting for a server that says that it is busy. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../errors/error.ts';
import { humanTime } from '../report/human-time.ts';
import type { OperationContext } from '../report/report.ts';
import type { HttpResponse } from './message.ts';
import { retryAfterMs } from './retry-after.ts';

/** A failure that tells of an answer. */
export interface AnswerError extends TsregError {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** What the server says, in one line that may be shown; null where it says nothing. */
  readonly words: string | null;
}

/** How long a busy server is waited for. */
export interface Patience<E extends AnswerError> extends OperationContext {
  /** In all; null for not at all. */
  readonly maxWaitMs: number | null;
  /** The failure as one that tells of an answer; null if it does not. */
  readonly answerIn: (error: unknown) => E | null;
  /** Asked after a wait whether to send once more; false ends it with the error. Yes where it is not given. */
  readonly mayRepeat?: (error: E) => Promise<boolean>;
}

/** Where a server does not say when to come back, or says at once. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const TICK_MS = 1000;

/** True for an answer by which a server says that it is busy. */
export function isBusy({ status }: { readonly status: number }): boolean {
  return status === 429 || status === 503;
}

/**
 * Calls `send`, again where it is answered 429 or 503 and the time that the server asks for is not more than what is
 * left of `maxWaitMs`, unless `mayRepeat` says no. Says what it waits for, and counts down where bars are shown. Any
 * other error comes through, and that of the last answer where the wait is interrupted.
 */
export async function sendPatiently<T, E extends AnswerError>(
  send: () => Promise<T>,
  patience: Patience<E>,
): Promise<T> {
  let leftMs = patience.maxWaitMs ?? 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const answer = patience.maxWaitMs === null ? null : patience.answerIn(error);
      if (answer === null || !isBusy(answer)) throw error;
      const wanted = retryAfterMs(answer.headers, Date.now());
      const pauseMs =
        wanted === null
          ? Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS)
          : Math.max(wanted, FIRST_PAUSE_MS);
      if (pauseMs > leftMs) throw tooLong(answer, { wanted, leftMs });
      leftMs -= pauseMs;
      await pause(pauseMs, answer, patience);
      if (patience.signal.aborted) throw error;
      if (patience.mayRepeat !== undefined && !(await patience.mayRepeat(answer))) throw error;
    }
  }
}

function tooLong(
  cause: AnswerError,
  { wanted, leftMs }: { readonly wanted: number | null; readonly leftMs: number },
): TsregError {
  const wish =
    wanted === null || wanted === 0
      ? 'the registry is still busy'
      : `the registry asks for a wait of ${humanTime(wanted)}`;
  return new TsregError(`${wish}, but \`--max-wait\` leaves only ${humanTime(leftMs)}`, { cause });
}

/** Comes back at once when it is interrupted. */
async function pause(
  pauseMs: number,
  { status, words }: AnswerError,
  { report, signal }: OperationContext,
): Promise<void> {
  // Clocks may be set meanwhile.
  const endsAt = performance.now() + pauseMs;
  const until = new Date(Date.now() + pauseMs).toISOString();
  const said = words === null ? '' : `: ${words}`;
  report.status(
    'Waiting',
    `${humanTime(pauseMs)} for the registry, until ${until} (status ${status})${said}`,
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
