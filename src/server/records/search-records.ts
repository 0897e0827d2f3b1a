import type { Records } from '../store.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { rankCrates } from './rank-crates.ts';
import { integer, total } from './row.ts';
import {
  bestFirst,
  COUNT_CRATES,
  countFound,
  countWords,
  estimateTotal,
  inOrder,
  MAX_FOUND,
  mostUsedFirst,
  type PlannedQuery,
} from './search-statement.ts';
import { CRATE_ORDERS, parseQuery, type SearchQuery } from './search-words.ts';
import { all, one, type SqlDatabase, type Work } from './sql-work.ts';

/** Search: crates with all words; of more than a thousand the first thousand, and counts no further. */
export function searchRecords(database: SqlDatabase): Pick<Records, 'searchCrates' | 'rankCrates'> {
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
          return { items: (yield* all(sql, ...values)).map(asCrate), total: found };
        }
        const { sql, values } = order === undefined ? bestFirst(planned, page) : mostUsedFirst(planned, page);
        const items = (yield* all(sql, ...values)).map(asCrate);
        const known = items.length === 0 ? 0 : offset + items.length;
        const isLastPage = items.length < page.limit && (items.length > 0 || offset === 0);
        return { items, total: isLastPage ? known : Math.max(known, yield* count(planned)) };
      };
      return await database.readMoment(body, { plan: 'by-indexes' });
    },
    async rankCrates() {
      await database.note(rankCrates);
    },
  };
}

/** Puts the rarest word first. */
function* plan(query: SearchQuery): Work<PlannedQuery> {
  if (query.words.length < 2) return { ...query, isRare: true };
  const { sql, values } = countWords(query);
  const row = yield* one(sql, ...values);
  const counts = new Map(query.words.map((word, at) => [word, row === null ? 0 : integer(row, `word${at}`)]));
  const words = query.words.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  return { ...query, words, isRare: (counts.get(words[0] ?? '') ?? 0) < MAX_FOUND };
}

function* count(query: PlannedQuery): Work<number> {
  const { sql, values } = countFound(query);
  const row = yield* one(sql, ...values);
  return row === null ? 0 : estimateTotal(row);
}
