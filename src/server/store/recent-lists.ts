import type { Clock } from '../shared/clock.ts';
import { PacedWork } from '../shared/paced-work.ts';
import { RecentValues } from '../shared/recent-values.ts';
import type { CrateFilter, TagCount } from './browse-records.ts';
import type { DailyDownloads } from './daily-download-records.ts';
import type { ServedRecords } from './store.ts';
import type { Crate, Page } from './values.ts';

const MAX_AGE_MS = 60_000;
/** Maximum characters of all lists of one kind, with their keys. */
const MAX_CHARS = 8 * 1024 * 1024;
/** Memory for an entry besides its texts, in characters: readers can ask for any number of empty lists. */
const ENTRY_CHARS = 512;

/**
 * Returns records whose lists may be a minute old if they take long to compute: the counts of keywords and categories,
 * crates by conditions on their versions, and downloads by day. So readers cannot keep the server busy with them.
 * Crates by different conditions are computed one after the other with pauses, for the clients in turn. If too many wait,
 * `listCrates` throws `TooMuchWork`.
 */
export function withRecentLists(records: ServedRecords, clock: Clock): ServedRecords {
  const options = { clock, maxAgeMs: () => MAX_AGE_MS };
  const tags = new RecentValues<readonly TagCount[]>({ ...options, maxSize: 2, sizeOf: () => 1 });
  const lists = new RecentValues<Page<Crate>>({ ...options, maxSize: MAX_CHARS, sizeOf });
  const downloads = new RecentValues<DailyDownloads>({ ...options, maxSize: MAX_CHARS, sizeOf });
  const paced = new PacedWork();
  return {
    ...records,
    countCategories: () => tags.get('categories', () => records.countCategories()),
    countKeywords: () => tags.get('keywords', () => records.countKeywords()),
    async listCrates(filter, { client, ...request }) {
      if (!readsVersions(filter)) return await records.listCrates(filter, request);
      const owner = client === undefined ? {} : { owner: client };
      return await lists.get(JSON.stringify([filter, request]), () =>
        paced.run(() => records.listCrates(filter, request), owner),
      );
    },
    listDailyDownloads: (crate, request) =>
      downloads.get(JSON.stringify([crate, request]), () => records.listDailyDownloads(crate, request)),
  };
}

/** Returns true if a list needs the metadata of many versions. */
function readsVersions({ categories, licenses, rustVersions, features }: CrateFilter): boolean {
  return [categories, licenses, rustVersions, features].some((values) => values.length > 0);
}

/** Returns the characters that a list takes in the cache. */
function sizeOf(value: object, key: string): number {
  return ENTRY_CHARS + key.length + JSON.stringify(value).length;
}
