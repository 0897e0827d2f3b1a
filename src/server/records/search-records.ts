import type { PageRequest } from '../store/values.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { rankCrates } from './rank-crates.ts';
import { integer, optionalInteger, total } from './row.ts';
import {
  bestFirst,
  COUNT_CRATES,
  countFound,
  countOfPage,
  countOfRow,
  countWords,
  type Counted,
  estimateTotal,
  inOrder,
  LAST_TIER,
  MAX_FOUND,
  mostUsedFirst,
  type PlannedQuery,
} from './search-statement.ts';
import { CRATE_ORDERS, parseQuery, type SearchQuery } from './search-words.ts';
import { all, one, type SqlDatabase, type Work } from './sql-work.ts';
import type { CrateRecords } from '../store/crate-records.ts';

/** Implements the record methods for searches. A search with words lists and counts at most a thousand results. */
export function searchRecords(database: SqlDatabase): Pick<CrateRecords, 'searchCrates' | 'rankCrates'> {
  return {
    async searchCrates(text, { limit, offset, order }) {
      const query = parseQuery(text);
      if (query === null) {
        const sql = `SELECT ${CRATE_COLUMNS} FROM crates ORDER BY ${CRATE_ORDERS[order ?? 'downloads']} LIMIT ? OFFSET ?`;
        return await database.readMoment(function* () {
          const rows = yield* all(sql, limit, offset);
          return { items: rows.map(asCrate), total: total(yield* one(COUNT_CRATES)) };
        });
      }
      const page = { limit: Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset };
      const body = function* () {
        const planned = yield* plan(query);
        if (order !== undefined && order !== 'downloads') {
          const found = yield* count(planned);
          const { sql, values } = inOrder(planned, { ...page, order, isFrequent: found >= MAX_FOUND });
          const items = (yield* all(sql, ...values)).map(asCrate);
          return { items, total: totalAtEnd(items.length, page) ?? noFewer(found, items.length, page) };
        }
        const { sql, values } = order === undefined ? bestFirst(planned, page) : mostUsedFirst(planned, page);
        const rows = yield* all(sql, ...values);
        const items = rows.map(asCrate);
        const known = totalAtEnd(items.length, page);
        if (known !== null) return { items, total: known };
        const counted = offset === 0 ? countOfPage(rows) : null;
        const found = counted === null ? yield* count(planned) : yield* estimate(counted);
        return { items, total: noFewer(found, items.length, page) };
      };
      return await database.readMoment(body, { plan: 'by-indexes' });
    },
    async rankCrates() {
      await database.note(rankCrates);
    },
  };
}

/** Returns the total if a page with `length` results is the last one; otherwise null. */
function totalAtEnd(length: number, { limit, offset }: PageRequest): number | null {
  return length < limit && (length > 0 || offset === 0) ? offset + length : null;
}

/** Returns the estimate, but at least the number of results up to the end of a page with `length` results. */
function noFewer(thought: number, length: number, { offset }: PageRequest): number {
  return length === 0 ? thought : Math.max(thought, offset + length);
}

/** Moves the rarest word to the front. */
function* plan(query: SearchQuery): Work<PlannedQuery> {
  if (query.words.length < 2) return { ...query, isRare: true, isTiered: true };
  const { sql, values } = countWords(query);
  const row = yield* one(sql, ...values);
  const counted = query.words.map((word, at) => ({
    word,
    last: row === null ? 0 : integer(row, `last${at}`),
    first: row === null ? 0 : integer(row, `first${at}`),
  }));
  const rarestFirst = counted.toSorted((a, b) => a.last - b.last || a.first - b.first);
  return {
    ...query,
    words: rarestFirst.map(({ word }) => word),
    isRare: counted.some(({ last }) => last < MAX_FOUND),
    isTiered: counted.some(({ first }) => first > 0),
  };
}

function* count(query: PlannedQuery): Work<number> {
  const { sql, values } = countFound(query);
  const row = yield* one(sql, ...values);
  if (row === null) return 0;
  return estimateTotal(countOfRow(row), optionalInteger(row, 'crates') ?? 0);
}

/** Estimates the total. Reads the number of crates only if the estimate depends on it. */
function* estimate(counted: Counted): Work<number> {
  const least = estimateTotal(counted, 0);
  const isKnown = least === MAX_FOUND || counted.tier === LAST_TIER;
  return isKnown ? least : estimateTotal(counted, total(yield* one(COUNT_CRATES)));
}
