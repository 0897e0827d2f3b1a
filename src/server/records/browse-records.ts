import type { BrowseRecords, TagCount } from '../store/browse-records.ts';
import { asCrate } from './crate-rows.ts';
import { COUNT_BY_KEYWORDS, countByCategories, listFiltered } from './browse-statement.ts';
import { findSimilarNames } from './similar-name-records.ts';
import { integer, textList } from './row.ts';
import { all, type SqlDatabase, type SqlRow } from './sql-work.ts';
import { listVersionsOf } from './version-state-records.ts';

/** Implements the record methods for browsing. */
export function browseRecords(database: SqlDatabase): BrowseRecords {
  const { dialect } = database;
  return {
    async listCrates(filter, request) {
      const { sql, values } = listFiltered(filter, { ...request, dialect });
      return await database.readMoment(
        function* () {
          const rows = yield* all(sql, ...values);
          if (rows.length > 0 || request.offset === 0)
            return { items: rows.map(asCrate), total: totalOf(rows) };
          // A page after the end has no row with the total.
          const first = listFiltered(filter, { ...request, dialect, limit: 1, offset: 0 });
          return { items: [], total: totalOf(yield* all(first.sql, ...first.values)) };
        },
        { plan: 'by-indexes' },
      );
    },
    async countCategories() {
      const rows = await database.readMoment(() => all(countByCategories(dialect)), { plan: 'by-indexes' });
      return countEach(rows, withParents);
    },
    async countKeywords() {
      const rows = await database.readMoment(() => all(COUNT_BY_KEYWORDS), { plan: 'by-indexes' });
      return countEach(rows, (keyword) => [keyword]);
    },
    async findSimilarNames(name, limit) {
      return await database.readMoment(() => findSimilarNames(name, limit), { plan: 'by-indexes' });
    },
    async listVersionsOf(crates) {
      return await database.readMoment(() => listVersionsOf(crates));
    },
  };
}

/** Returns the total in the rows of a list; 0 without rows. */
function totalOf([first]: readonly SqlRow[]): number {
  return first === undefined ? 0 : integer(first, 'total');
}

/** Adds up the crates of each tag in the rows, once for each different name that `namesOf` returns for it. */
function countEach(
  rows: readonly SqlRow[],
  namesOf: (tag: string) => readonly string[],
): readonly TagCount[] {
  const counts = new Map<string, TagCount>();
  for (const row of rows) {
    const [crates, createdAtMs] = [integer(row, 'total'), integer(row, 'created_at')];
    for (const name of new Set(textList(row, 'tags').flatMap(namesOf))) {
      const known = counts.get(name) ?? { name, crates: 0, createdAtMs };
      counts.set(name, {
        name,
        crates: known.crates + crates,
        createdAtMs: Math.min(known.createdAtMs, createdAtMs),
      });
    }
  }
  return [...counts.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns `a`, `a::b` and `a::b::c` for the last one. */
function withParents(slug: string): readonly string[] {
  const parts = slug.split('::');
  return parts.map((_, last) => parts.slice(0, last + 1).join('::'));
}
