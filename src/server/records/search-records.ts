import { canonicalName } from '../canonical-name.ts';
import type { Records } from '../store.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { RANK_CRATES, searchPostgres } from './postgres-search.ts';
import { total } from './row.ts';
import { CRATE_ORDERS, escapePattern, isUnindexed, nameRange, wordsOf } from './search-words.ts';
import { all, change, one, type SqlDatabase } from './sql-work.ts';

/** A part of a statement and its values. */
interface Part {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Search. */
export function searchRecords(database: SqlDatabase): Pick<Records, 'searchCrates' | 'rankCrates'> {
  return {
    async searchCrates(query, request) {
      const words = wordsOf(query);
      if (database.dialect === 'postgres' && words.length > 0)
        return await searchPostgres(database, words, request);
      const { limit, offset, order: wanted } = request;
      const where = everyWord(words);
      const order = wanted === undefined ? bestFirst(words) : { sql: CRATE_ORDERS[wanted], values: [] };
      return await database.readMoment(function* () {
        const rows = yield* all(
          `SELECT ${CRATE_COLUMNS} FROM crates ${where.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
          ...where.values,
          ...order.values,
          limit,
          offset,
        );
        const count = {
          sqlite: `SELECT count(*) AS total FROM crates ${where.sql}`,
          // It counts all rows one by one, and so keeps how many there are.
          postgres: 'SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS total FROM totals',
        };
        return { items: rows.map(asCrate), total: total(yield* one(count, ...where.values)) };
      });
    },
    async rankCrates() {
      await database.note(() => change({ sqlite: null, postgres: RANK_CRATES }));
    },
  };
}

/** The name itself, beginnings of names, parts of names, and the rest; each with the most downloads first. */
function bestFirst(words: readonly string[]): Part {
  if (words.length === 0) return { sql: 'downloads DESC, id DESC', values: [] };
  const name = canonicalName(words.join('-'));
  const pattern = escapePattern(name);
  return {
    sql: `CASE WHEN canonical_name = ? THEN 0 WHEN canonical_name LIKE ? ESCAPE '\\' THEN 1
      WHEN canonical_name LIKE ? ESCAPE '\\' THEN 2 ELSE 3 END, downloads DESC, canonical_name`,
    values: [name, `${pattern}%`, `%${pattern}%`],
  };
}

function everyWord(words: readonly string[]): Part {
  if (words.length === 0) return { sql: '', values: [] };
  const parts = words.filter(isUnindexed).map((word): Part => {
    return { sql: 'canonical_name >= ? AND canonical_name < ?', values: nameRange(canonicalName(word)) };
  });
  const long = words.filter((word) => !isUnindexed(word));
  if (long.length > 0) {
    const sql = 'id IN (SELECT rowid FROM crate_search WHERE crate_search MATCH ?)';
    parts.push({ sql, values: [long.map(matchWord).join(' AND ')] });
  }
  return {
    sql: `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** A word anywhere, or its other spelling in a name. */
function matchWord(word: string): string {
  const name = canonicalName(word);
  return name === word.toLowerCase() ? quote(word) : `(${quote(word)} OR name : ${quote(name)})`;
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
