import type { CrateRecords, SearchRequest } from '../store/crate-records.ts';
import { present } from '../../core/errors/assert.ts';
import type { Crate, Page } from '../store/values.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { rankCrates } from './rank-crates.ts';
import { integer, optionalInteger, total } from './row.ts';
import {
  bestFirst,
  COUNT_CRATES,
  countFound,
  countWords,
  CRATE_ORDERS,
  inOrder,
  LAST_TIER,
  MAX_FOUND,
  mostUsedFirst,
  type PlannedQuery,
} from './search-statement.ts';
import {
  type ResultCount,
  countOfPage,
  countOfRow,
  estimateTotal,
  noFewerThanListed,
  totalAtEnd,
} from './search-total.ts';
import { parseQuery, type SearchQuery } from './search-words.ts';
import { all, one, type SqlDatabase, type Work } from './sql-work.ts';

/** Implements the record methods for searches. A search with words lists and counts at most a thousand results. */
export function searchRecords(database: SqlDatabase): Pick<CrateRecords, 'searchCrates' | 'rankCrates'> {
  return {
    async searchCrates(text, request) {
      const query = parseQuery(text);
      if (query === null) return await database.readMoment(() => listAll(request));
      const limit = Math.max(0, Math.min(request.limit, MAX_FOUND - request.offset));
      return await database.readMoment(() => search(query, { ...request, limit }), { plan: 'by-indexes' });
    },
    async rankCrates() {
      await database.writeUnsynced(rankCrates);
    },
  };
}

function* listAll({ limit, offset, order = 'downloads' }: SearchRequest): Work<Page<Crate>> {
  const sql = `SELECT ${CRATE_COLUMNS} FROM crates ORDER BY ${CRATE_ORDERS[order]} LIMIT ? OFFSET ?`;
  const rows = yield* all(sql, limit, offset);
  return { items: rows.map(asCrate), total: total(yield* one(COUNT_CRATES)) };
}

/** Finds a page of results. The orders by which crates are ranked read tier after tier; others first count all. */
function* search(query: SearchQuery, { order, ...page }: SearchRequest): Work<Page<Crate>> {
  const plannedQuery = yield* plan(query);
  if (order !== undefined && order !== 'downloads') {
    const foundCount = yield* count(plannedQuery);
    const { sql, values } = inOrder(plannedQuery, { ...page, order, isFrequent: foundCount >= MAX_FOUND });
    const items = (yield* all(sql, ...values)).map(asCrate);
    const { length } = items;
    return { items, total: totalAtEnd(length, page) ?? noFewerThanListed(foundCount, { ...page, length }) };
  }
  const { sql, values } =
    order === undefined ? bestFirst(plannedQuery, page) : mostUsedFirst(plannedQuery, page);
  const rows = yield* all(sql, ...values);
  const items = rows.map(asCrate);
  const { length } = items;
  const exactTotal = totalAtEnd(length, page);
  if (exactTotal !== null) return { items, total: exactTotal };
  const counted = page.offset === 0 ? countOfPage(rows) : null;
  const estimate = counted === null ? yield* count(plannedQuery) : yield* estimateFrom(counted);
  return { items, total: noFewerThanListed(estimate, { ...page, length }) };
}

/** Moves the rarest word to the front. */
function* plan(query: SearchQuery): Work<PlannedQuery> {
  if (query.words.length < 2) return { ...query, isRare: true, isTiered: true };
  const { sql, values } = countWords(query);
  const row = present(yield* one(sql, ...values), 'the row of the counts');
  const counted = query.words.map((word, index) => ({
    word,
    last: integer(row, `last${index}`),
    first: integer(row, `first${index}`),
  }));
  const rarestFirst = counted.toSorted((a, b) => a.last - b.last || a.first - b.first);
  return {
    ...query,
    words: rarestFirst.map(({ word }) => word),
    isRare: counted.some(({ last }) => last < MAX_FOUND),
    isTiered: counted.some(({ first }) => first > 0),
  };
}

/** Counts the results, or estimates their number once enough are counted. */
function* count(query: PlannedQuery): Work<number> {
  const { sql, values } = countFound(query);
  const row = present(yield* one(sql, ...values), 'the row of the counts');
  // Without the number of crates, all tiers were counted, and there is nothing to extrapolate.
  return estimateTotal(countOfRow(row), optionalInteger(row, 'crates') ?? 0);
}

/** Estimates the total. Reads the number of crates only if the estimate depends on it. */
function* estimateFrom(counted: ResultCount): Work<number> {
  const minimum = estimateTotal(counted, 0);
  const isExact = minimum === MAX_FOUND || counted.tier === LAST_TIER;
  return isExact ? minimum : estimateTotal(counted, total(yield* one(COUNT_CRATES)));
}
