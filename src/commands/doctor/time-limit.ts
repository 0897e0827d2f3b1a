/** A limit for the time of a check. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';

/** How long a check may take, in milliseconds. All of them run at the same time. */
const TIME_LIMIT_MS = 8000;

/**
 * Returns the result of `work`. After `limitMs`, aborts the signal of `work` and rejects with `network`, even if `work`
 * ignores the signal. Rejects with the reason of `signal` if that is aborted.
 */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  limitMs = TIME_LIMIT_MS,
): Promise<T> {
  const controller = new AbortController();
  const limited = AbortSignal.any([signal, controller.signal]);
  const timer = new AbortController();
  const tooLong = async (): Promise<never> => {
    await setTimeout(limitMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) });
    const error = new TsregError(`no result within ${limitMs / 1000} seconds`, { code: 'network' });
    controller.abort(error);
    throw error;
  };
  try {
    return await Promise.race([work(limited), tooLong()]);
  } finally {
    timer.abort();
  }
}
