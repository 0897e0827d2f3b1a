import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpResponse } from '../../../src/io/http/message.ts';
import { type RetryPolicy, sendWithRetry } from '../../../src/io/http/send-with-retry.ts';
import { ApiError, asApiError } from '../../../src/io/web-api/api-error.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, _value: undefined, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    vi.advanceTimersByTime(ms);
    return Promise.resolve();
  },
}));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

function busy(status: number, retryAfter: string | null, detail = 'slow down'): ApiError {
  const response: HttpResponse = {
    status,
    statusLine: `HTTP/1.1 ${status}`,
    headers: retryAfter === null ? [] : [['retry-after', retryAfter]],
    earlier: [],
    body: Buffer.alloc(0),
    transferredBytes: 0,
    url: '',
    ip: null,
  };
  return ApiError.withDetails(response, [detail], { isWhole: false, secret: null });
}

/** Calls `sendWithRetry` for errors of the web API. */
function sendToApi(
  send: () => Promise<string>,
  retryPolicy: Omit<RetryPolicy<ApiError>, 'responseErrorIn'>,
): Promise<string> {
  return sendWithRetry(send, { ...retryPolicy, responseErrorIn: asApiError });
}

/** Returns a function that fails with each of `problems` in turn and then succeeds. */
function failing(...problems: Error[]): { send: () => Promise<string>; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    send: () => {
      calls += 1;
      const problem = problems[calls - 1];
      return problem === undefined ? Promise.resolve('done') : Promise.reject(problem);
    },
  };
}

test('sendWithRetry does not wait without a wait limit', async () => {
  const { send, calls } = failing(busy(429, '1'));
  await expect(sendToApi(send, { ...recordingContext().context, maxWaitMs: null })).rejects.toThrow(
    'slow down',
  );
  expect(calls()).toBe(1);
});

describe('sendWithRetry with a wait limit', () => {
  test('waits for the seconds in `Retry-After` and counts them down', async () => {
    const { context, lines, bars } = recordingContext();
    const { send, calls } = failing(busy(429, '3'));
    expect(await sendToApi(send, { ...context, maxWaitMs: 10_000 })).toBe('done');
    expect(calls()).toBe(2);
    expect(lines).toEqual([
      'Waiting 3 seconds for the registry, until 2026-01-01T00:00:03.000Z (status 429): slow down',
    ]);
    expect(bars.map((bar) => bar?.message ?? null)).toEqual([
      ': 3 seconds left',
      ': 2 seconds left',
      ': 1 second left',
      null,
    ]);
    expect(Date.now()).toBe(Date.parse('2026-01-01T00:00:03Z'));
  });

  test('does not wait longer if the clock is set back', async () => {
    const { context, bars } = recordingContext();
    const report = {
      ...context.report,
      progress: (bar: Parameters<typeof context.report.progress>[0]) => {
        context.report.progress(bar);
        if (bars.length === 1) vi.setSystemTime(Date.parse('2025-01-01T00:00:00Z'));
        if (bars.length > 9) throw new Error('it waits and waits');
      },
    };
    const { send } = failing(busy(429, '3'));
    expect(await sendToApi(send, { ...context, report, maxWaitMs: 10_000 })).toBe('done');
    expect(bars).toHaveLength(4);
  });

  test('waits until the date in `Retry-After`', async () => {
    const { context } = recordingContext();
    const { send } = failing(busy(503, 'Thu, 01 Jan 2026 00:01:00 GMT'));
    expect(await sendToApi(send, { ...context, maxWaitMs: 60_000 })).toBe('done');
    expect(Date.now()).toBe(Date.parse('2026-01-01T00:01:00Z'));
  });

  test('fails if the server asks for a longer wait than is left', async () => {
    const { context, lines } = recordingContext();
    const { send, calls } = failing(busy(429, '3'), busy(429, '8'));
    const sending = sendToApi(send, { ...context, maxWaitMs: 10_000 });
    await expect(sending).rejects.toThrow(
      'the registry asks for a wait of 8 seconds, but `--max-wait` leaves only 7 seconds',
    );
    await expect(sending).rejects.toMatchObject({ cause: { status: 429 } });
    expect(calls()).toBe(2);
    expect(lines).toHaveLength(1);
  });

  test.each(['99999999999999980000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'describes an extremely long wait briefly: %s',
    async (wanted) => {
      const { send } = failing(busy(429, wanted));
      await expect(sendToApi(send, { ...recordingContext().context, maxWaitMs: 5_400_000 })).rejects.toThrow(
        'the registry asks for a wait of more than a year, but `--max-wait` leaves only 1 hour 30 minutes',
      );
    },
  );

  test('doubles the pauses if the server sends no `Retry-After`', async () => {
    const { context, lines } = recordingContext();
    const { send } = failing(...Array.from({ length: 9 }, () => busy(503, null)));
    const sending = sendToApi(send, { ...context, maxWaitMs: 20_000 });
    await expect(sending).rejects.toThrow(
      'the registry is still busy, but `--max-wait` leaves only 5 seconds',
    );
    expect(lines.map((line) => /\d+ seconds?/.exec(line)?.[0])).toEqual([
      '1 second',
      '2 seconds',
      '4 seconds',
      '8 seconds',
    ]);
  });

  test('stops at the limit if the server asks for retries at once', async () => {
    const { context, lines } = recordingContext();
    const { send, calls } = failing(...Array.from({ length: 9 }, () => busy(503, '0')));
    const sending = sendToApi(send, { ...context, maxWaitMs: 3500 });
    await expect(sending).rejects.toThrow(
      'the registry is still busy, but `--max-wait` leaves only 1 second',
    );
    expect(calls()).toBe(4);
    expect(lines).toHaveLength(3);
  });

  test('rejects with other errors at once', async () => {
    for (const problem of [busy(500, '1'), busy(404, '1'), new Error('cut')]) {
      const { send, calls } = failing(problem);
      const { context } = recordingContext();
      await expect(sendToApi(send, { ...context, maxWaitMs: 10_000 })).rejects.toBe(problem);
      expect(calls()).toBe(1);
    }
  });

  test('rejects with the last response if the signal is aborted', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const { context } = recordingContext(controller.signal);
    const answer = busy(429, '3');
    const { send, calls } = failing(answer);
    await expect(sendToApi(send, { ...context, maxWaitMs: 10_000 })).rejects.toBe(answer);
    expect(calls()).toBe(1);
  });

  test('removes control characters from the message of the server', async () => {
    const { context, lines } = recordingContext();
    const { send } = failing(busy(429, '1', 'a\u001b[2Jb\nc'));
    await sendToApi(send, { ...context, maxWaitMs: 10_000 });
    expect(lines[0]).toMatch(/: ab c$/);
  });
});
