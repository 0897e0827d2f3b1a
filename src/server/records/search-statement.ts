/**
 * The statements of a search. The most used crates are kept apart by `tier` (1000, the next 9000, and the rest), each
 * with indexes of its own: what is frequent is found among the first, what is rare is rare in the rest as well. So
 * each step reads about as many rows as a page needs, however many crates there are.
 */
import type { CrateOrder } from '../store.ts';
import type { PageRequest } from '../store-values.ts';
import { CRATE_COLUMNS } from './crate-rows.ts';
import { CRATE_ORDERS, escapePattern, type SearchQuery, textRange } from './search-words.ts';
import { FIRST_CRATES, RANKED_CRATES } from './rank-crates.ts';
import { integer, optionalInteger } from './row.ts';
import type { SqlRow, SqlStatement, SqlValue } from './sql-work.ts';

/** Pages end here, and so does counting. */
export const MAX_FOUND = 1000;
/** So many of the most used crates tell how many there are of all: the true number is hardly ever less than half of it. */
const ENOUGH_TO_ESTIMATE = 30;
const TIERS = [0, 1, 2];
const LAST_TIER = 2;
const MOST_USED = 'crates.downloads DESC, crates.canonical_name';
/** The same in no order of an index: a database might go through all crates in that order, to find a few of them. */
const SORTED = MOST_USED.replace('crates.downloads', 'crates.downloads + 0');
/** PostgreSQL counts all rows one by one, and so keeps how many there are. */
export const COUNT_CRATES = {
  sqlite: 'SELECT count(*) AS total FROM crates',
  postgres: 'SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS total FROM totals',
};

/** Values of `is_in_name`. */
const ANYWHERE = '0, 1';
const ELSEWHERE = '0';
const IN_NAME = '1';

/** A statement and its values. */
export interface Finished<Sql = string> {
  readonly sql: Sql;
  readonly values: readonly SqlValue[];
}

/** A query whose words stand in the order in which they are looked for. */
export interface PlannedQuery extends SearchQuery {
  /** True where the first word is in few crates, so that each of these can be asked for the others. */
  readonly isRare: boolean;
}

/** How many crates of the last tier have each word, as `word0`, `word1`, …: no more than `MAX_FOUND`. */
export function countWords({ words }: SearchQuery): Finished {
  const statement = new Statement();
  const counts = words.map((word, at) => {
    const rows = `SELECT 1 FROM search_words WHERE ${statement.isWord(word, LAST_TIER)}`;
    return `(SELECT count(*) FROM (${rows} LIMIT ${MAX_FOUND}) AS found) AS word${at}`;
  });
  return statement.finish(`SELECT ${counts.join(', ')}`);
}

/** The name itself, beginnings of names, parts of names, and the rest; each with the most downloads first. */
export function bestFirst(query: PlannedQuery, { limit, offset }: PageRequest): Finished {
  const statement = new Statement();
  const whole = statement.bind(query.name);
  const wanted = statement.bind(limit + offset);
  const begins = statement.begins('crates.canonical_name', query.name);
  const also = statement.alsoBegins(query);
  const part = (place: number, crates: string, conditions: readonly string[]): string =>
    `SELECT * FROM (SELECT crates.id, ${place} AS place FROM (${crates}) AS hits
      JOIN crates ON crates.id = hits.id${where([...conditions, ...also])}
      ORDER BY ${SORTED} LIMIT ${wanted}) AS part`;
  const parts = [part(0, `SELECT rowid AS id FROM crate_search WHERE name = ${whole}`, [])];
  for (const tier of TIERS) {
    const named = `SELECT rowid AS id FROM crate_search WHERE tier = ${tier} AND
      ${statement.begins('name', query.name)} AND name <> ${whole}`;
    parts.push(part(1, named, []));
  }
  if (query.words.length > 0) {
    const contains = `crates.canonical_name LIKE ${statement.bind(`%${escapePattern(query.name)}%`)} ESCAPE '\\'`;
    for (const tier of TIERS) {
      const named = `SELECT DISTINCT crate_id AS id FROM search_words
        WHERE ${statement.isWord(query.name, tier, IN_NAME)}`;
      parts.push(part(2, named, [`NOT (${begins})`]));
    }
    // A word of the name is then a part of it, and was found before.
    const isInName = query.words.length === 1 && query.words[0] === query.name;
    const places = isInName ? ELSEWHERE : ANYWHERE;
    for (const tier of TIERS)
      parts.push(part(3, statement.withWords(query, tier, places), [`NOT ${contains}`]));
  }
  return statement.page(parts, { limit, offset });
}

/** Those that are used most, whatever their names are. */
export function mostUsedFirst(query: PlannedQuery, { limit, offset }: PageRequest): Finished {
  const statement = new Statement();
  const wanted = statement.bind(limit + offset);
  const also = statement.alsoBegins(query);
  const parts = TIERS.map(
    (tier) => `SELECT * FROM (SELECT crates.id, 0 AS place FROM (${statement.matching(query, tier)}) AS hits
      JOIN crates ON crates.id = hits.id${where(also)} ORDER BY ${SORTED} LIMIT ${wanted}) AS part`,
  );
  return statement.page(parts, { limit, offset });
}

/**
 * Another order than the tiers have: what is rare is found and put in order, what is frequent is met soon by whoever
 * goes through all crates in that order.
 */
export function inOrder(
  query: PlannedQuery,
  {
    limit,
    offset,
    order,
    isFrequent,
  }: PageRequest & { readonly order: CrateOrder; readonly isFrequent: boolean },
): Finished {
  const statement = new Statement();
  const also = statement.alsoBegins(query);
  const end = `ORDER BY ${CRATE_ORDERS[order]} LIMIT ${statement.bind(limit)} OFFSET ${statement.bind(offset)}`;
  if (isFrequent) {
    const every = query.words.map((word) => statement.has('crates.id', word));
    return statement.finish(`SELECT ${CRATE_COLUMNS} FROM crates${where([...every, ...also])} ${end}`);
  }
  const hits = TIERS.map((tier) => `SELECT id FROM (${statement.matching(query, tier)}) AS tier${tier}`);
  return statement.finish(
    `SELECT ${CRATE_COLUMNS} FROM (${hits.join(' UNION ALL ')}) AS hits
      JOIN crates ON crates.id = hits.id${where(also)} ${end}`,
  );
}

/**
 * How many are found, no more than `MAX_FOUND` in each tier: tier by tier as `tier0`, `tier1`, `tier2`, null where
 * those before tell of the rest; then `crates` is how many there are at all.
 */
export function countFound(query: PlannedQuery): Finished<SqlStatement['sql']> {
  const statement = new Statement();
  const also = statement.alsoBegins(query);
  const count = (tier: number): string => {
    const crates = statement.matching(query, tier);
    const hits =
      also.length === 0
        ? `SELECT 1 FROM (${crates}) AS hits`
        : `SELECT 1 FROM (${crates}) AS hits JOIN crates ON crates.id = hits.id${where(also)}`;
    return `(SELECT count(*) FROM (${hits} LIMIT ${MAX_FOUND}) AS found)`;
  };
  const counted = `WITH first AS MATERIALIZED (SELECT ${count(0)} AS tier0), second AS MATERIALIZED (
      SELECT tier0, CASE WHEN tier0 < ${ENOUGH_TO_ESTIMATE} THEN ${count(1)} END AS tier1 FROM first)
    SELECT tier0, tier1, CASE WHEN tier0 + tier1 < ${ENOUGH_TO_ESTIMATE} THEN ${count(2)} END AS tier2,
      CASE WHEN coalesce(tier0 + tier1, tier0) >= ${ENOUGH_TO_ESTIMATE} THEN`;
  const { sql, values } = statement.finish(counted);
  const withCrates = (crates: string): string => `${sql} (${crates}) END AS crates FROM second`;
  return {
    sql: { sqlite: withCrates(COUNT_CRATES.sqlite), postgres: withCrates(COUNT_CRATES.postgres) },
    values,
  };
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** A statement that is written part by part, with its values. */
class Statement {
  readonly #values: SqlValue[] = [];
  readonly #places = new Map<SqlValue, string>();

  /** What stands for a value. */
  bind(value: SqlValue): string {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = `?${this.#values.push(value)}`;
    this.#places.set(value, place);
    return place;
  }

  /** That a column begins with a text. */
  begins(column: string, beginning: string): string {
    const [from, to] = textRange(beginning);
    return `${column} >= ${this.bind(from)} AND ${column} < ${this.bind(to)}`;
  }

  /** Which rows of `search_words` are of a word; all columns of its index count. */
  isWord(word: string, tier: number, places = ANYWHERE): string {
    return `tier = ${tier} AND is_in_name IN (${places}) AND ${this.begins('word', word)}`;
  }

  /** What names must begin with as well. */
  alsoBegins({ beginnings, words }: SearchQuery): readonly string[] {
    if (beginnings.length === 1 && words.length === 0) return [];
    return beginnings.map((each) => this.begins('crates.canonical_name', each));
  }

  /** That a crate has a word; not as a join, which a database might begin at its other end. */
  has(crate: string, word: string): string {
    return `(SELECT 1 FROM search_words WHERE crate_id = ${crate} AND ${this.begins('word', word)} LIMIT 1) = 1`;
  }

  /** Crates of a tier with all words, each once, as `id`. */
  withWords({ words, isRare }: PlannedQuery, tier: number, places = ANYWHERE): string {
    const [first = '', ...others] = words;
    const having = (word: string): string =>
      `crate_id AS id FROM search_words WHERE ${this.isWord(word, tier, places)}`;
    if (!isRare) return words.map((word) => `SELECT ${having(word)}`).join(' INTERSECT ');
    const candidates = `SELECT DISTINCT ${having(first)}`;
    const every = others.map((word) => this.has('candidates.id', word));
    return others.length === 0 ? candidates : `SELECT id FROM (${candidates}) AS candidates${where(every)}`;
  }

  /** As `withWords`; without words by the beginning of the name. */
  matching(query: PlannedQuery, tier: number): string {
    if (query.words.length > 0) return this.withWords(query, tier);
    const [beginning = ''] = query.beginnings;
    return `SELECT rowid AS id FROM crate_search WHERE tier = ${tier} AND ${this.begins('name', beginning)}`;
  }

  /** A page of all parts, one after the other: what comes behind the page is never looked for. */
  page(parts: readonly string[], { limit, offset }: PageRequest): Finished {
    return this.finish(`SELECT ${CRATE_COLUMNS} FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts
      LIMIT ${this.bind(limit)} OFFSET ${this.bind(offset)}) AS found
      JOIN crates ON crates.id = found.id ORDER BY place, ${MOST_USED}`);
  }

  finish(sql: string): Finished {
    return { sql, values: this.#values };
  }
}

/** How many there are in all, as far as a row of `countFound` tells. */
export function estimateTotal(row: SqlRow): number {
  const second = optionalInteger(row, 'tier1');
  const rest = optionalInteger(row, 'tier2');
  const counted = integer(row, 'tier0') + (second ?? 0) + (rest ?? 0);
  if (rest !== null) return Math.min(MAX_FOUND, counted);
  const looked = second === null ? FIRST_CRATES : RANKED_CRATES;
  return Math.min(MAX_FOUND, Math.max(counted, Math.round((counted / looked) * integer(row, 'crates'))));
}
