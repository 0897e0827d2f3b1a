import type { Records } from '../store.ts';
import { canonicalName } from '../canonical-name.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { total } from './row.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

const MAX_WORDS = 10;
/** Shorter words have no trigram, and are looked for as beginnings of names. */
const MIN_INDEXED = 3;

/** A part of a statement and its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Search. */
export function searchRecords(database: SqliteDatabase): Pick<Records, 'searchCrates'> {
  return {
    async searchCrates(query, { limit, offset }) {
      const words = query
        .split(/[\s\0]+/)
        .filter((word) => word !== '')
        .slice(0, MAX_WORDS);
      const where = everyWord(words);
      const wanted = canonicalName(words.join('-'));
      const rows = database.all(
        `SELECT ${CRATE_COLUMNS} FROM crates ${where.sql}
         ORDER BY canonical_name = ? DESC, canonical_name LIKE ? ESCAPE '\\' DESC,
           canonical_name LIKE ? ESCAPE '\\' DESC, downloads DESC, canonical_name
         LIMIT ? OFFSET ?`,
        ...where.values,
        wanted,
        `${escapeLike(wanted)}%`,
        `%${escapeLike(wanted)}%`,
        limit,
        offset,
      );
      const count = database.get(`SELECT count(*) AS total FROM crates ${where.sql}`, ...where.values);
      return { items: rows.map(asCrate), total: total(count) };
    },
  };
}

function everyWord(words: readonly string[]): Condition {
  if (words.length === 0) return { sql: '', values: [] };
  const long = words.filter((word) => [...word].length >= MIN_INDEXED);
  const short = words.filter((word) => [...word].length < MIN_INDEXED);
  const conditions = short.map(
    (word): Condition => ({
      sql: `canonical_name LIKE ? ESCAPE '\\'`,
      values: [`${escapeLike(canonicalName(word))}%`],
    }),
  );
  if (long.length > 0) {
    conditions.push({
      sql: 'id IN (SELECT rowid FROM crate_search WHERE crate_search MATCH ?)',
      values: [long.map(matchWord).join(' AND ')],
    });
  }
  return {
    sql: `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** A word anywhere, or its other spelling in a name. */
function matchWord(word: string): string {
  return `(${quote(word)} OR name : ${quote(canonicalName(word))})`;
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, (special) => `\\${special}`);
}
