import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DownloadCounter } from '../../../src/server/http/download-counter.ts';
import type { DownloadCount } from '../../../src/server/store/crate-records.ts';

const DAY_MS = 86_400_000;

let nowMs: number;
let added: { counts: readonly DownloadCount[]; atMs: number }[];
/** The days before which counts were deleted. */
let deleted: number[];
let logged: string[];
let records: ConstructorParameters<typeof DownloadCounter>[0]['records'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  nowMs = 1000 * DAY_MS;
  added = [];
  deleted = [];
  logged = [];
  records = {
    async addDownloads(counts, atMs) {
      added.push({ counts, atMs });
    },
    async deleteDailyDownloads(day) {
      deleted.push(day);
      return deleted.length % 3 !== 0;
    },
  };
});
afterEach(() => vi.useRealTimers());

function makeCounter(): DownloadCounter {
  const log = {
    info: () => undefined,
    warning: (event: string) => void logged.push(event),
    error: () => undefined,
  };
  return new DownloadCounter({ records, clock: { now: () => nowMs }, log });
}

it('writes all downloads of an interval at once, with the time', async () => {
  const counter = makeCounter();
  for (const version of ['1.0.0', '1.1.0', '1.0.0']) counter.add('foo', version);
  await counter.flush();
  await counter.flush();
  expect(added).toEqual([
    {
      counts: [
        { crate: 'foo', version: '1.0.0', count: 2 },
        { crate: 'foo', version: '1.1.0', count: 1 },
      ],
      atMs: nowMs,
    },
  ]);
});

it('keeps counts that could not be written, for the day on which they are', async () => {
  const { addDownloads } = records;
  let isAway = true;
  records = {
    ...records,
    addDownloads: (...given) => (isAway ? Promise.reject(new Error('away')) : addDownloads(...given)),
  };
  const counter = makeCounter();
  counter.add('foo', '1.0.0');
  await counter.flush();
  expect(logged).toEqual(['downloads-not-counted']);
  counter.add('foo', '1.0.0');
  isAway = false;
  nowMs += DAY_MS;
  await counter.stop();
  expect(added).toEqual([{ counts: [{ crate: 'foo', version: '1.0.0', count: 2 }], atMs: nowMs }]);
});

it('deletes the counts of days before the last 90, in steps and once a day', async () => {
  const counter = makeCounter();
  counter.start(5000);
  vi.advanceTimersByTime(5000);
  await vi.waitFor(() => expect(deleted).toEqual([911, 911, 911]));
  vi.advanceTimersByTime(5000);
  await counter.flush();
  nowMs += DAY_MS;
  await vi.waitFor(() => {
    vi.advanceTimersByTime(5000);
    expect(deleted).toEqual([911, 911, 911, 912, 912, 912]);
  });
  await counter.stop();
});

it('deletes them later if the records fail, and not after it has stopped', async () => {
  const { deleteDailyDownloads } = records;
  let attempts = 0;
  records = {
    ...records,
    async deleteDailyDownloads(day) {
      attempts += 1;
      if (attempts === 1) throw new Error('away');
      return deleteDailyDownloads(day);
    },
  };
  const counter = makeCounter();
  counter.start(5000);
  await vi.waitFor(() => {
    vi.advanceTimersByTime(5000);
    expect(deleted).toEqual([911, 911, 911]);
  });
  expect(logged).toEqual(['old-downloads-not-deleted']);
  await counter.stop();
  nowMs += DAY_MS;
  vi.advanceTimersByTime(50_000);
  expect(deleted).toHaveLength(3);
});
