/** Downloads by day: reads them, and encodes them as crates.io does. */
import type { ServerContext } from '../../server-context.ts';
import { firstKeptDay, formatDay } from '../../shared/days.ts';
import type { DailyCount, DailyDownloads } from '../../store/daily-download-records.ts';
import type { Version } from '../../store/values.ts';

/** How many of the highest versions have counts of their own. `styles/chart.ts` has a colour for each, and one more. */
const SEPARATE_VERSIONS = 5;

/** The downloads of a crate in the last days. */
export interface CrateDownloads extends DailyDownloads {
  /** The versions whose downloads are counted separately, highest first. */
  readonly versions: readonly Version[];
}

type Context = Pick<ServerContext, 'records' | 'clock'>;

/** Reads the downloads of a crate in the last days. */
export async function readDownloads({ records, clock }: Context, crate: string): Promise<CrateDownloads> {
  const { items: versions } = await records.listVersions(crate, { limit: SEPARATE_VERSIONS, offset: 0 });
  const request = { versionIds: versions.map(({ id }) => id), fromDay: firstKeptDay(clock.now()) };
  return { versions, ...(await records.listDailyDownloads(crate, request)) };
}

/** Reads the downloads of a version in the last days. */
export async function readVersionDownloads(
  { records, clock }: Context,
  { crate, id }: Version,
): Promise<readonly DailyCount[]> {
  const request = { versionIds: [id], fromDay: firstKeptDay(clock.now()) };
  return (await records.listDailyDownloads(crate, request)).counts;
}

/** Returns the downloads of a crate for a response. */
export function encodeCrateDownloads({ counts }: Pick<DailyDownloads, 'counts'>): object {
  const others = counts.filter(({ versionId }) => versionId === null);
  return {
    ...encodeVersionDownloads(counts),
    meta: {
      extra_downloads: others.map(({ day, downloads }) => ({ date: formatDay(day), downloads })),
    },
  };
}

/** Returns the downloads of versions for a response, without those of other versions. */
export function encodeVersionDownloads(counts: readonly DailyCount[]): object {
  const separate = counts.filter(({ versionId }) => versionId !== null);
  return {
    version_downloads: separate.map(({ day, versionId, downloads }) => ({
      version: versionId,
      downloads,
      date: formatDay(day),
    })),
  };
}
