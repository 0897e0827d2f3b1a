import { canonicalName } from '../canonical-name.ts';
import type { CrateOrder, Records } from '../store.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { total } from './row.ts';
import { all, CUSTOM_PLAN, one, type SqlDatabase, type SqlDialect } from './sql-work.ts';

const MAX_WORDS = 10;
/** Shorter words have no trigram, and are looked for as beginnings of names. */
const MIN_INDEXED = 3;
/** More crates than this are not ranked. */
const MAX_RANKED = 1000;
/** Sorts behind every name with the same beginning. */
const BEHIND_ALL = '\u{10ffff}';

const ORDERS: Readonly<Record<CrateOrder, string>> = {
  name: 'canonical_name',
  downloads: 'downloads DESC, id DESC',
  updated: 'updated_at DESC, id DESC',
  // Numbers of crates are given in the order in which they come.
  created: 'id DESC',
};

/** A part of a statement and its values. */
interface Part {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Search. */
export function searchRecords(database: SqlDatabase): Pick<Records, 'searchCrates'> {
  return {
    async searchCrates(query, { limit, offset, order: wanted }) {
      const words = query.split(/[\s\0]+/).filter((word) => word !== '');
      const where = everyWord(words.slice(0, MAX_WORDS), database.dialect);
      const order = wanted === undefined ? bestFirst(words) : { sql: ORDERS[wanted], values: [] };
      const isBounded = database.dialect === 'postgres' && words.length > 0;
      const found = isBounded
        ? mostUsed(where, words, wanted)
        : { sql: `crates ${where.sql}`, values: where.values };
      const count = isBounded ? `SELECT count(*) AS total FROM ${found.sql}` : countAll(where.sql);
      const columns = isBounded ? `${CRATE_COLUMNS}, count(*) OVER () AS total` : CRATE_COLUMNS;
      return await database.readMoment(function* () {
        // How to look for a word depends on how frequent it is: a plan for any word would be a bad one for most.
        yield* all({ sqlite: null, postgres: CUSTOM_PLAN });
        const rows = yield* all(
          `SELECT ${columns} FROM ${found.sql} ORDER BY ${order.sql} LIMIT ? OFFSET ?`,
          ...found.values,
          ...order.values,
          limit,
          offset,
        );
        const [first] = rows;
        const isCounted = isBounded && first !== undefined;
        return {
          items: rows.map(asCrate),
          total: total(isCounted ? first : yield* one(count, ...found.values)),
        };
      });
    },
  };
}

/** PostgreSQL counts all rows one by one, and so keeps how many there are. */
function countAll(where: string): string | Readonly<Record<SqlDialect, string>> {
  const sqlite = `SELECT count(*) AS total FROM crates ${where}`;
  if (where !== '') return sqlite;
  return { sqlite, postgres: 'SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS total FROM totals' };
}

/**
 * Of the crates that are found those that are used most, or come first in the order that is wanted: as good as always
 * all of them. A word that is in every other crate would else take as long as there are crates. Those whose names begin
 * with what is looked for are among them in any case.
 */
function mostUsed(where: Part, words: readonly string[], order: CrateOrder = 'downloads'): Part {
  const name = canonicalName(words.join('-'));
  // A name that begins with all of the words has them, unless each has to be a beginning.
  const mayDiffer = words.length > 1 && words.some(isUnindexed);
  const [sql, values] = mayDiffer ? [`${where.sql} AND`, where.values] : ['WHERE', []];
  const part = (condition: string, by: string): string =>
    `(SELECT * FROM crates ${condition} ORDER BY ${by} LIMIT ${MAX_RANKED})`;
  return {
    sql: `(${part(where.sql, ORDERS[order])}
      UNION ${part(`${sql} canonical_name >= ? AND canonical_name < ?`, ORDERS.downloads)}
      UNION ${part(`${sql} canonical_name = ?`, 'id')}) AS crates`,
    values: [...where.values, ...values, name, name + BEHIND_ALL, ...values, name],
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

function everyWord(words: readonly string[], dialect: SqlDialect): Part {
  if (words.length === 0) return { sql: '', values: [] };
  const parts = words.filter(isUnindexed).map((word): Part => {
    const name = canonicalName(word);
    // Not LIKE, for which there is no index.
    return { sql: 'canonical_name >= ? AND canonical_name < ?', values: [name, name + BEHIND_ALL] };
  });
  const long = words.filter((word) => !isUnindexed(word));
  if (long.length > 0) {
    const { sql, values } = dialect === 'sqlite' ? matchByFts(long) : matchByTrigrams(long);
    parts.push({ sql: `id IN (SELECT rowid FROM crate_search WHERE ${sql})`, values });
  }
  return {
    sql: `WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** True for what no index has: to look for it in all texts would read them all. */
function isUnindexed(word: string): boolean {
  return [...word].length < MIN_INDEXED || !/[\p{L}\p{N}]/u.test(word);
}

function matchByFts(words: readonly string[]): Part {
  return { sql: 'crate_search MATCH ?', values: [words.map(matchWord).join(' AND ')] };
}

/** A word anywhere, or its other spelling in a name. */
function matchWord(word: string): string {
  const name = canonicalName(word);
  return name === word.toLowerCase() ? quote(word) : `(${quote(word)} OR name : ${quote(name)})`;
}

function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

/** As `matchByFts`, over texts that are in lower case. */
function matchByTrigrams(words: readonly string[]): Part {
  const parts = words.map((word): Part => {
    const lower = word.toLowerCase();
    const name = canonicalName(word);
    const anywhere = `%${escapePattern(lower)}%`;
    if (name === lower) return { sql: 'everything LIKE ?', values: [anywhere] };
    return { sql: '(everything LIKE ? OR name LIKE ?)', values: [anywhere, `%${escapePattern(name)}%`] };
  });
  return {
    sql: parts.map(({ sql }) => sql).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  };
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
