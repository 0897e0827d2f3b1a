/** Waiting for a server that says that it is busy. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../errors/error.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { humanTime } from '../report/human-time.ts';
import type { OperationContext } from '../report/report.ts';
import { ApiError } from './api-error.ts';
import { showText } from './shown-text.ts';

/** How long a busy server is waited for. */
export interface Patience extends OperationContext {
  /** In all; null for not at all. */
  readonly maxWaitMs: number | null;
  /** Asked after a wait whether to send once more; false ends it with the error. Yes where it is not given. */
  readonly mayRepeat?: (error: ApiError) => Promise<boolean>;
}

/** Where a server does not say when to come back, or says at once. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const TICK_MS = 1000;

/**
 * Calls `send`, again where it is answered 429 or 503 and the time that the server asks for is not more than what is
 * left of `maxWaitMs`, unless `mayRepeat` says no. Says what it waits for, and counts down where bars are shown. Any
 * other error comes through, and that of the last answer where the wait is interrupted.
 */
export async function sendPatiently<T>(send: () => Promise<T>, patience: Patience): Promise<T> {
  let leftMs = patience.maxWaitMs ?? 0;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (patience.maxWaitMs === null || !(error instanceof ApiError)) throw error;
      if (error.status !== 429 && error.status !== 503) throw error;
      const now = Date.now();
      const wanted = retryAfterMs(error.headers, now);
      const pauseMs =
        wanted === null
          ? Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS)
          : Math.max(wanted, FIRST_PAUSE_MS);
      if (pauseMs > leftMs) throw tooLong(error, { wanted, leftMs });
      leftMs -= pauseMs;
      await pause(pauseMs, error, patience);
      if (patience.signal.aborted) throw error;
      if (patience.mayRepeat !== undefined && !(await patience.mayRepeat(error))) throw error;
    }
  }
}

function tooLong(
  cause: ApiError,
  { wanted, leftMs }: { readonly wanted: number | null; readonly leftMs: number },
): TsregError {
  const wish =
    wanted === null || wanted === 0
      ? 'the registry is still busy'
      : `the registry asks to wait ${humanTime(wanted)}`;
  return new TsregError(`${wish}, and \`--max-wait\` leaves ${humanTime(leftMs)}`, { cause });
}

/** Comes back at once when it is interrupted. */
async function pause(pauseMs: number, error: ApiError, { report, signal }: Patience): Promise<void> {
  // Clocks may be set meanwhile.
  const endsAt = performance.now() + pauseMs;
  const until = new Date(Date.now() + pauseMs);
  const words = error.details === null ? '' : `: ${oneLine(error.details.join(', '))}`;
  report.status(
    'Waiting',
    `${humanTime(pauseMs)} for the registry, until ${until.toISOString()} (status ${error.status})${words}`,
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

function oneLine(text: string): string {
  return showText(text, { isRaw: false, secret: null }).replaceAll(/\s+/g, ' ');
}
