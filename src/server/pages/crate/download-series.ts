/** The downloads of a crate as series of a chart, one for each version. */
import type { CrateDownloads } from '../../http/api/daily-downloads.ts';
import { dayOf, firstKeptDay, KEPT_DAYS } from '../../shared/days.ts';

/** The label of the series with all versions that have none of their own. */
const OTHERS = 'Others';

/** The downloads of a crate in the last `KEPT_DAYS` days. */
export interface DownloadSeries {
  readonly total: number;
  /** The first day with counts, if it is within these days and later than the crate; null if no count is missing. */
  readonly sinceDay: number | null;
  /** The versions with downloads, highest first, and then all others together. */
  readonly series: readonly Series[];
  /** All days, earliest first. */
  readonly days: readonly DayDownloads[];
}

/** A version, or all others together. */
export interface Series {
  readonly label: string;
  /** Selects the colour, `--s0` to `--s5` in `styles/chart.ts`: 0 for the highest version, and so on. */
  readonly position: number;
}

/** The downloads of one day. */
export interface DayDownloads {
  /** In days since 1970: see `shared/days.ts`. */
  readonly day: number;
  readonly total: number;
  /** In the order of the series. */
  readonly parts: readonly number[];
}

/** Arranges downloads by day and version. `createdAtMs` is the time at which the crate was created. */
export function downloadSeries(
  { versions, counts, sinceDay }: CrateDownloads,
  { nowMs, createdAtMs }: { readonly nowMs: number; readonly createdAtMs: number },
): DownloadSeries {
  const firstDay = firstKeptDay(nowMs);
  const keys = [...versions.map(({ id, version }) => ({ id, label: version })), { id: null, label: OTHERS }];
  const used = keys
    .map(({ id, label }, position) => ({ id, label, position }))
    .filter(({ id }) => counts.some(({ versionId }) => versionId === id));
  const byKey = new Map(counts.map(({ day, versionId, downloads }) => [keyOf(day, versionId), downloads]));
  const days = Array.from({ length: KEPT_DAYS }, (_, offset) => {
    const day = firstDay + offset;
    const parts = used.map(({ id }) => byKey.get(keyOf(day, id)) ?? 0);
    return { day, parts, total: sumOf(parts) };
  });
  const isPartial = sinceDay > Math.max(firstDay, dayOf(createdAtMs)) && sinceDay <= dayOf(nowMs);
  // The demo adds counts of earlier days, so none is missing there.
  const isCountedSince = counts.every(({ day }) => day >= sinceDay);
  return {
    total: sumOf(days.map((day) => day.total)),
    sinceDay: isPartial && isCountedSince ? sinceDay : null,
    series: used.map(({ label, position }) => ({ label, position })),
    days,
  };
}

function keyOf(day: number, versionId: number | null): string {
  return `${day} ${versionId}`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
