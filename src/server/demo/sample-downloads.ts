/** Spreads the downloads of the sample crates over days, so that a demo has charts. */
import { present } from '../../core/errors/assert.ts';
import { KEPT_DAYS } from '../shared/days.ts';
import type { DownloadCount } from '../store/crate-records.ts';
import type { SampleCrate, SampleRelease } from './sample-crate.ts';

/** The downloads of one day. */
export interface SampleDay {
  readonly daysAgo: number;
  readonly counts: readonly DownloadCount[];
}

/** A week of builds: fewer at the weekend. */
const WEEK = [9, 10, 8, 10, 7, 2, 1] as const;

/** Returns the downloads of all releases by day, earliest first. A release gets none before its publication. */
export function sampleDownloads(crates: readonly SampleCrate[]): readonly SampleDay[] {
  const releases = crates.flatMap(({ name, releases: all }) =>
    all.map((release) => ({ crate: name, version: release.version, byDay: downloadsByDay(release) })),
  );
  // The earliest day has the sum of those before it.
  return Array.from({ length: KEPT_DAYS + 1 }, (_, position) => {
    const daysAgo = KEPT_DAYS - position;
    const counts = releases.map(({ crate, version, byDay }) => ({
      crate,
      version,
      count: daysAgo === KEPT_DAYS ? sumOf(byDay.slice(KEPT_DAYS)) : (byDay[daysAgo] ?? 0),
    }));
    return { daysAgo, counts: counts.filter(({ count }) => count > 0) };
  });
}

/** Returns the downloads of a release by the number of days ago. Their sum is exact. */
function downloadsByDay({ daysAgo, downloads }: SampleRelease): readonly number[] {
  const weights = Array.from({ length: daysAgo + 1 }, (_, day) => present(WEEK[day % WEEK.length], 'a day'));
  const total = sumOf(weights);
  let weightSoFar = 0;
  let countedDownloads = 0;
  return weights.map((dayWeight) => {
    weightSoFar += dayWeight;
    const count = Math.round((downloads * weightSoFar) / total) - countedDownloads;
    countedDownloads += count;
    return count;
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
