/**
 * The statements of a search. The most used crates are kept apart by `tier` (1000, the next 9000, and the rest), each
 * with indexes of its own: what is frequent is found among the first, what is rare is rare in the rest as well. So
 * each step reads about as many rows as a page needs, however many crates there are.
 */
import { TsregError } from '../../errors/error.ts';
import type { CrateOrder } from '../store.ts';
import type { PageRequest } from '../store-values.ts';
import { CRATE_COLUMNS } from './crate-rows.ts';
import { CRATE_ORDERS, escapePattern, MAX_WORDS, type SearchQuery, textRange } from './search-words.ts';
import { FIRST_CRATES, RANKED_CRATES } from './rank-crates.ts';
import { integer, optionalInteger } from './row.ts';
import type { SqlRow, SqlStatement, SqlValue } from './sql-work.ts';

/** Pages end here, and so does counting. */
export const MAX_FOUND = 1000;
/** So many of the most used crates tell how many there are of all: the true number is hardly ever less than half of it. */
const ENOUGH_TO_ESTIMATE = 30;
const FIRST_TIER = 0;
/** Of all crates that are used less. */
export const LAST_TIER = 2;
/** `tier` of crates that are found by their names, wherever they are. */
const NO_TIER = -1;
const TIERS = [FIRST_TIER, 1, LAST_TIER];
/** Of so many crates of the last tier that have one frequent word it is asked whether they have the others. */
const MAX_CANDIDATES = 5000;
/** `place` of crates that are found by their words alone. */
const BY_WORDS = 3;
const MOST_USED = 'crates.downloads DESC, crates.canonical_name';
/** The same in no order of an index: a database might go through all crates in that order, to find a few of them. */
const SORTED = MOST_USED.replace('crates.downloads', 'crates.downloads + 0');
/** `CRATE_ORDERS` likewise. */
const SORTED_BY: Readonly<Record<CrateOrder, string>> = {
  name: "crates.canonical_name || ''",
  downloads: 'crates.downloads + 0 DESC, crates.id DESC',
  updated: 'crates.updated_at + 0 DESC, crates.id DESC',
  created: 'crates.id + 0 DESC',
};
/** PostgreSQL counts all rows one by one, and so keeps how many there are. */
export const COUNT_CRATES = {
  sqlite: 'SELECT count(*) AS total FROM crates',
  postgres: 'SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS total FROM totals',
};

/** For so many words, and so many beginnings of names, statements are written: `MAX_WORDS` is the last one. */
const WORD_COUNTS = [1, 2, 3, 5, MAX_WORDS];
const BEGINNING_COUNTS = [1, MAX_WORDS];

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
  /** False where none of them is in the first tier: most often there are no tiers then. */
  readonly isTiered: boolean;
}

/**
 * How many crates have each word, no more than `MAX_FOUND`: in the last tier as `last0`, `last1`, …, in the first one as
 * `first0`, `first1`, ….
 */
export function countWords(query: SearchQuery): Finished {
  const statement = new Statement(query);
  const counts = statement.words.flatMap((word, at) => {
    const count = (tier: number): string => {
      const rows = `SELECT 1 FROM search_words WHERE ${isWord(word, tier)}`;
      return `(SELECT count(*) FROM (${rows} LIMIT ${MAX_FOUND}) AS found)`;
    };
    return [`${count(LAST_TIER)} AS last${at}`, `${count(FIRST_TIER)} AS first${at}`];
  });
  return statement.finish(`SELECT ${counts.join(', ')}`);
}

/**
 * The name itself, beginnings of names, parts of names, and the rest; each with the most downloads first. Rows of the
 * rest say in `hits` how many of it there are in their `tier`.
 */
export function bestFirst(query: PlannedQuery, { limit, offset }: PageRequest): Finished {
  const statement = new Statement(query);
  const whole = statement.bind(query.name);
  const wanted = statement.bind(limit + offset);
  const name = statement.range(query.name);
  const begins = begin('crates.canonical_name', name);
  const also = statement.alsoBegins();
  const part = (
    place: number,
    crates: string,
    conditions: readonly string[],
    tier: number | null = null,
  ): string =>
    `SELECT * FROM (SELECT crates.id, ${place} AS place, ${tier ?? NO_TIER} AS tier,
      ${tier === null ? '0' : 'count(*) OVER ()'} AS hits FROM (${crates}) AS hits
      JOIN crates ON crates.id = hits.id${where([...conditions, ...also])}
      ORDER BY ${SORTED} LIMIT ${wanted}) AS part`;
  const parts = [part(0, `SELECT rowid AS id FROM crate_search WHERE name = ${whole}`, [])];
  for (const tier of TIERS) {
    const named = `SELECT rowid AS id FROM crate_search WHERE tier = ${tier} AND
      ${begin('name', name)} AND name <> ${whole}`;
    parts.push(part(1, named, []));
  }
  if (query.words.length > 0) {
    const contains = `crates.canonical_name LIKE ${statement.bind(`%${escapePattern(query.name)}%`)} ESCAPE '\\'`;
    for (const tier of TIERS) {
      const named = `SELECT DISTINCT crate_id AS id FROM search_words
        WHERE ${isWord(name, tier, IN_NAME)}`;
      parts.push(part(2, named, [`NOT (${begins})`]));
    }
    // A word of the name is then a part of it, and was found before.
    const isInName = query.words.length === 1 && query.words[0] === query.name;
    const places = isInName ? ELSEWHERE : ANYWHERE;
    for (const tier of TIERS)
      parts.push(part(BY_WORDS, statement.withWords(tier, places), [`NOT ${contains}`], tier));
  }
  return statement.page(parts, { limit, offset });
}

/** Those that are used most, whatever their names are. */
export function mostUsedFirst(query: PlannedQuery, { limit, offset }: PageRequest): Finished {
  const statement = new Statement(query);
  const wanted = statement.bind(limit + offset);
  const also = statement.alsoBegins();
  const parts = TIERS.map(
    (tier) => `SELECT * FROM (SELECT crates.id, 0 AS place, ${NO_TIER} AS tier, 0 AS hits
      FROM (${statement.matching(tier)}) AS hits
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
  const statement = new Statement(query);
  const also = statement.alsoBegins();
  const page = `LIMIT ${statement.bind(limit)} OFFSET ${statement.bind(offset)}`;
  if (isFrequent) {
    const every = statement.words.map((word) => has('crates.id', word));
    return statement.finish(
      `SELECT ${CRATE_COLUMNS} FROM crates${where([...every, ...also])} ORDER BY ${CRATE_ORDERS[order]} ${page}`,
    );
  }
  const hits = TIERS.map((tier) => `SELECT id FROM (${statement.matching(tier)}) AS tier${tier}`);
  return statement.finish(
    `SELECT ${CRATE_COLUMNS} FROM (${hits.join(' UNION ALL ')}) AS hits
      JOIN crates ON crates.id = hits.id${where(also)} ORDER BY ${SORTED_BY[order]} ${page}`,
  );
}

/**
 * How many are found, no more than `MAX_FOUND` in each tier: tier by tier as `tier0`, `tier1`, `tier2`, null where
 * those before tell of the rest; then `crates` is how many there are at all.
 */
export function countFound(query: PlannedQuery): Finished<SqlStatement['sql']> {
  const statement = new Statement(query);
  const also = statement.alsoBegins();
  const count = (tier: number): string => {
    const crates = statement.matching(tier);
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

/** What stands for the two ends of a range of texts. */
interface Range {
  readonly from: string;
  readonly to: string;
}

/** That a column begins with a text. */
function begin(column: string, { from, to }: Range): string {
  return `${column} >= ${from} AND ${column} < ${to}`;
}

/** Which rows of `search_words` are of a word; all columns of its index count. */
function isWord(word: Range, tier: number, places = ANYWHERE): string {
  return `tier = ${tier} AND is_in_name IN (${places}) AND ${begin('word', word)}`;
}

/** That a crate has a word; not as a join, which a database might begin at its other end. */
function has(crate: string, word: Range): string {
  return `(SELECT 1 FROM search_words WHERE crate_id = ${crate} AND ${begin('word', word)} LIMIT 1) = 1`;
}

/**
 * Repeats the first text until there are as many as a statement is written for. So what is looked for makes few
 * statements, each of which a database prepares once; and what is asked twice leads to the same.
 */
function padded(texts: readonly string[], lengths: readonly number[]): readonly string[] {
  const [first] = texts;
  const length = lengths.find((each) => each >= texts.length) ?? texts.length;
  return first === undefined
    ? []
    : [first, ...texts.slice(1), ...Array.from({ length: length - texts.length }, () => first)];
}

/** A statement about a query that is written part by part, with its values: neither they nor their number change its text. */
class Statement {
  readonly #query: SearchQuery & Partial<PlannedQuery>;
  readonly #values: SqlValue[] = [];
  #words: readonly Range[] | null = null;
  #beginnings: readonly Range[] | null = null;

  constructor(query: SearchQuery & Partial<PlannedQuery>) {
    this.#query = query;
  }

  get words(): readonly Range[] {
    this.#words ??= this.#ranges(this.#query.words, WORD_COUNTS);
    return this.#words;
  }

  get beginnings(): readonly Range[] {
    this.#beginnings ??= this.#ranges(this.#query.beginnings, BEGINNING_COUNTS);
    return this.#beginnings;
  }

  /** What stands for a value. */
  bind(value: SqlValue): string {
    return `?${this.#values.push(value)}`;
  }

  /** Of the texts that begin with one. */
  range(beginning: string): Range {
    const [from, to] = textRange(beginning);
    return { from: this.bind(from), to: this.bind(to) };
  }

  #ranges(texts: readonly string[], counts: readonly number[]): readonly Range[] {
    return padded(texts, counts).map((each) => this.range(each));
  }

  /** What names must begin with as well. */
  alsoBegins(): readonly string[] {
    const { beginnings, words } = this.#query;
    if (beginnings.length === 1 && words.length === 0) return [];
    return this.beginnings.map((each) => begin('crates.canonical_name', each));
  }

  /** Crates of a tier with all words, each once, as `id`. */
  withWords(tier: number, places = ANYWHERE): string {
    const { isRare = true, isTiered = true } = this.#query;
    const [first, ...others] = this.words;
    if (first === undefined) throw new TsregError('a search for no word', { code: 'bug' });
    const having = (word: Range, where = places): string =>
      `crate_id AS id FROM search_words WHERE ${isWord(word, tier, where)}`;
    const isMany = !isRare && isTiered && tier === LAST_TIER;
    if (!isRare && !isMany) return this.words.map((word) => `SELECT ${having(word)}`).join(' INTERSECT ');
    const some = [IN_NAME, ELSEWHERE].map(
      (where, at) => `SELECT * FROM (SELECT ${having(first, where)} LIMIT ${MAX_CANDIDATES}) AS named${at}`,
    );
    const candidates = isMany
      ? `SELECT DISTINCT id FROM (SELECT * FROM (${some.join(' UNION ALL ')}) AS either LIMIT ${MAX_CANDIDATES}) AS chosen`
      : `SELECT DISTINCT ${having(first)}`;
    const every = others.map((word) => has('candidates.id', word));
    return others.length === 0 ? candidates : `SELECT id FROM (${candidates}) AS candidates${where(every)}`;
  }

  /** As `withWords`; without words by the beginning of the name. */
  matching(tier: number): string {
    if (this.#query.words.length > 0) return this.withWords(tier);
    const [first] = this.beginnings;
    if (first === undefined) throw new TsregError('a search for nothing', { code: 'bug' });
    return `SELECT rowid AS id FROM crate_search WHERE tier = ${tier} AND ${begin('name', first)}`;
  }

  /** A page of all parts, one after the other: what comes behind the page is never looked for. */
  page(parts: readonly string[], { limit, offset }: PageRequest): Finished {
    return this.finish(`SELECT ${CRATE_COLUMNS}, place, tier, hits
      FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts
      LIMIT ${this.bind(limit)} OFFSET ${this.bind(offset)}) AS found
      JOIN crates ON crates.id = found.id ORDER BY place, ${MOST_USED}`);
  }

  finish(sql: string): Finished {
    return { sql, values: this.#values };
  }
}

/** What was found so far, and where. */
export interface Counted {
  /** By their names: all of these. */
  readonly named: number;
  /** By their words, in the tiers up to this one. */
  readonly found: number;
  readonly tier: number;
}

/**
 * How many are found, as far as the first page of `bestFirst` tells: all that comes before the tier in which it ends is
 * on it. Null where that is too little.
 */
export function countOfPage(rows: readonly SqlRow[]): Counted | null {
  const tiers = rows.map((row) => integer(row, 'tier'));
  const tier = Math.max(NO_TIER, ...tiers);
  const last = rows[tiers.indexOf(tier)];
  if (last === undefined || tier === NO_TIER) return null;
  const named = tiers.filter((each) => each === NO_TIER).length;
  const before = tiers.filter((each) => each < tier).length - named;
  const found = before + integer(last, 'hits');
  return found < ENOUGH_TO_ESTIMATE && tier !== LAST_TIER ? null : { named, found, tier };
}

/** What a row of `countFound` tells. */
export function countOfRow(row: SqlRow): Counted {
  const second = optionalInteger(row, 'tier1');
  const rest = optionalInteger(row, 'tier2');
  const found = integer(row, 'tier0') + (second ?? 0) + (rest ?? 0);
  return { named: 0, found, tier: rest !== null ? LAST_TIER : second !== null ? 1 : FIRST_TIER };
}

/** How many there are in all, of so many crates: as many in the tiers behind as in those where it was counted. */
export function estimateTotal({ named, found, tier }: Counted, crates: number): number {
  const looked = tier === FIRST_TIER ? FIRST_CRATES : RANKED_CRATES;
  const all = tier === LAST_TIER ? found : Math.max(found, Math.round((found / looked) * crates));
  return Math.min(MAX_FOUND, named + all);
}
