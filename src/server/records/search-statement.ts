/**
 * The statements of a search. `tier` separates the most used crates (1000, the next 9000, and the rest), and each tier
 * is a range of the indexes. Frequent words are found in the first tiers, and rare words are rare in the rest too. So
 * each step reads about as many rows as a page needs, however many crates exist.
 *
 * `bestFirst` sorts its rows by `place`: 0 if the query is the whole name, 1 if the name begins with it, 2 if the name
 * contains it, 3 (`BY_WORDS`) for other results. Only the last are counted by tier; the others have `NO_TIER`.
 *
 * SQLite and PostgreSQL get the same text, except for `COUNT_CRATES` and so `countFound`. In the examples, which are
 * for the query `serde`, values replace placeholders, and `word BEGINS 'serde'` stands for the range of `begin`.
 */
import { present } from '../../core/errors/assert.ts';
import type { PageRequest } from '../store/values.ts';
import { CRATE_COLUMNS } from './crate-rows.ts';
import { escapePattern, MAX_WORDS, type SearchQuery, textRange } from './search-words.ts';
import type { SqlStatement, SqlValue } from './sql-work.ts';
import type { CrateOrder } from '../store/crate-records.ts';

/** Maximum number of results to list and to count. */
export const MAX_FOUND = 1000;
/** Number of counted results that suffices to extrapolate. The true total is rarely below half of the estimate. */
export const ENOUGH_TO_ESTIMATE = 30;
/** The tier of the most used crates. */
export const FIRST_TIER = 0;
/** The tier of the least used crates. */
export const LAST_TIER = 2;
/** `tier` of results by name, whatever their crate's tier is. */
export const NO_TIER = -1;
const TIERS = [FIRST_TIER, 1, LAST_TIER];
/** Maximum number of last-tier crates with one frequent word that are checked for the other words. */
const MAX_CANDIDATES = 5000;
/** `place` of results that only match by words. */
const BY_WORDS = 3;
const MOST_USED = 'crates.downloads DESC, crates.canonical_name';
/** The same order, but not that of an index: a database might scan all crates in index order to find a few of them. */
const SORTED = MOST_USED.replace('crates.downloads', 'crates.downloads + 0');
/** `ORDER BY` terms for the table `crates` that do not depend on the query. */
export const CRATE_ORDERS: Readonly<Record<CrateOrder, string>> = {
  name: 'crates.canonical_name',
  downloads: 'crates.downloads DESC, crates.id DESC',
  updated: 'crates.updated_at DESC, crates.id DESC',
  // Ids increase with the time of creation.
  created: 'crates.id DESC',
};
/** `CRATE_ORDERS`, likewise without an index. */
export const SORTED_BY: Readonly<Record<CrateOrder, string>> = {
  name: "crates.canonical_name || ''",
  downloads: 'crates.downloads + 0 DESC, crates.id DESC',
  updated: 'crates.updated_at + 0 DESC, crates.id DESC',
  created: 'crates.id + 0 DESC',
};
/** Counts all crates. PostgreSQL would count row by row, so its counts are stored in `totals`. */
export const COUNT_CRATES = {
  sqlite: 'SELECT count(*) AS total FROM crates',
  postgres: 'SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) AS total FROM totals',
};

/** The numbers of words, and of beginnings of names, for which statements exist. */
const WORD_COUNTS = [1, 2, 3, 5, MAX_WORDS];
const BEGINNING_COUNTS = [1, MAX_WORDS];

/** Values of `is_in_name`: for words in any place, only outside of the name, and only in the name. */
const ANYWHERE = '0, 1';
const ELSEWHERE = '0';
const IN_NAME = '1';

/** A statement and its values. */
export interface BoundSql<Sql = string> {
  readonly sql: Sql;
  readonly values: readonly SqlValue[];
}

/** A query whose words are in the order in which the statements use them. */
export interface PlannedQuery extends SearchQuery {
  /** True if the first word is in few crates, so that each of these can be checked for the other words. */
  readonly isRare: boolean;
  /** False if no word is in the first tier, usually because the crates are not ranked. */
  readonly isTiered: boolean;
}

/**
 * Counts the crates that have each word, up to `MAX_FOUND`: as `last0`, `last1`, … in the last tier, as `first0`,
 * `first1`, … in the first one.
 *
 *     SELECT
 *       (SELECT count(*) FROM (SELECT 1 FROM search_words WHERE tier = 2 AND word BEGINS 'serde' LIMIT 1000)) AS last0,
 *       (… WHERE tier = 0 AND word BEGINS 'serde' …) AS first0
 */
export function countWords(query: SearchQuery): BoundSql {
  const statement = new Statement(query);
  const counts = statement.words.flatMap((word, index) => {
    const count = (tier: number): string => {
      const rows = `SELECT 1 FROM search_words WHERE ${isWord(word, tier)}`;
      return `(SELECT count(*) FROM (${rows} LIMIT ${MAX_FOUND}) AS found)`;
    };
    return [`${count(LAST_TIER)} AS last${index}`, `${count(FIRST_TIER)} AS first${index}`];
  });
  return statement.finish(`SELECT ${counts.join(', ')}`);
}

/**
 * Lists matches of the whole name, then of its beginning, then of a part of it, then all others, each with the most
 * downloads first. For the others, `hits` is the total number of them in their `tier`.
 *
 *     SELECT … FROM (
 *       SELECT id, 0 AS place, -1 AS tier, 0 AS hits FROM crate_search WHERE name = 'serde' …
 *       UNION ALL SELECT id, 1, -1, 0 FROM crate_search WHERE tier = 0 AND name BEGINS 'serde' …
 *       UNION ALL SELECT id, 2, -1, 0 FROM search_words WHERE tier = 0 AND is_in_name = 1 AND word BEGINS 'serde' …
 *       UNION ALL SELECT id, 3, 0, count(*) OVER () FROM search_words WHERE tier = 0 AND word BEGINS 'serde' …
 *       LIMIT 10 OFFSET 0
 *     ) JOIN crates … ORDER BY place, downloads DESC
 *
 * All but the first `SELECT` are there three times: for the tiers 0, 1 and 2, in this order.
 */
export function bestFirst(query: PlannedQuery, { limit, offset }: PageRequest): BoundSql {
  const statement = new Statement(query);
  const whole = statement.bind(query.name);
  const maxRows = statement.bind(limit + offset);
  const name = statement.range(query.name);
  const begins = begin('crates.canonical_name', name);
  const nameConditions = statement.nameConditions();
  /** Lists the crates with these `id`s that meet the conditions, and counts them for `tier` unless it is null. */
  const part = (
    place: number,
    crates: string,
    conditions: readonly string[],
    tier: number | null = null,
  ): string =>
    `SELECT * FROM (SELECT crates.id, ${place} AS place, ${tier ?? NO_TIER} AS tier,
      ${tier === null ? '0' : 'count(*) OVER ()'} AS hits FROM (${crates}) AS hits
      JOIN crates ON crates.id = hits.id${where([...conditions, ...nameConditions])}
      ORDER BY ${SORTED} LIMIT ${maxRows}) AS part`;
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
    // A single word within the name is a part of the name, and was already found.
    const isInName = query.words.length === 1 && query.words[0] === query.name;
    const places = isInName ? ELSEWHERE : ANYWHERE;
    for (const tier of TIERS)
      parts.push(part(BY_WORDS, statement.withWords(tier, places), [`NOT ${contains}`], tier));
  }
  return statement.page(parts, { limit, offset });
}

/**
 * Lists the most used results first, whether or not they match by name. All have the same place.
 *
 *     SELECT … FROM (
 *       SELECT id, 0 AS place … WHERE tier = 0 AND word BEGINS 'serde' ORDER BY downloads DESC LIMIT 10
 *       UNION ALL … WHERE tier = 1 … UNION ALL … WHERE tier = 2 …
 *       LIMIT 10 OFFSET 0
 *     ) JOIN crates …
 */
export function mostUsedFirst(query: PlannedQuery, { limit, offset }: PageRequest): BoundSql {
  const statement = new Statement(query);
  const maxRows = statement.bind(limit + offset);
  const nameConditions = statement.nameConditions();
  const parts = TIERS.map(
    (tier) => `SELECT * FROM (SELECT crates.id, 0 AS place, ${NO_TIER} AS tier, 0 AS hits
      FROM (${statement.matching(tier)}) AS hits
      JOIN crates ON crates.id = hits.id${where(nameConditions)} ORDER BY ${SORTED} LIMIT ${maxRows}) AS part`,
  );
  return statement.page(parts, { limit, offset });
}

/**
 * Lists results in an order other than that of the tiers. Rare results are found first and then sorted. If results are
 * frequent, a scan of all crates in that order soon finds a page of them.
 *
 *     rare:      SELECT … FROM (SELECT id … WHERE tier = 0 … UNION ALL …) JOIN crates … ORDER BY updated_at + 0 DESC
 *     frequent:  SELECT … FROM crates WHERE (SELECT 1 FROM search_words WHERE …) = 1 ORDER BY updated_at DESC
 */
export function inOrder(
  query: PlannedQuery,
  {
    limit,
    offset,
    order,
    isFrequent,
  }: PageRequest & { readonly order: CrateOrder; readonly isFrequent: boolean },
): BoundSql {
  const statement = new Statement(query);
  const page = `LIMIT ${statement.bind(limit)} OFFSET ${statement.bind(offset)}`;
  if (isFrequent) {
    const wordConditions = statement.words.map((word) => has('crates.id', word));
    return statement.finish(
      `SELECT ${CRATE_COLUMNS} FROM crates${where([...wordConditions, ...statement.beginsNames()])} ORDER BY ${CRATE_ORDERS[order]} ${page}`,
    );
  }
  const hits = TIERS.map((tier) => `SELECT id FROM (${statement.matching(tier)}) AS tier${tier}`);
  return statement.finish(
    `SELECT ${CRATE_COLUMNS} FROM (${hits.join(' UNION ALL ')}) AS hits
      JOIN crates ON crates.id = hits.id${where(statement.nameConditions())} ORDER BY ${SORTED_BY[order]} ${page}`,
  );
}

/**
 * Counts results by tier, up to `MAX_FOUND` each, as `tier0`, `tier1` and `tier2`. Once there are enough to
 * extrapolate, further tiers are null and `crates` is the number of all crates.
 *
 *     SELECT tier0,
 *       CASE WHEN tier0 < 30 THEN (SELECT count(*) … WHERE tier = 1 …) END AS tier1,
 *       CASE WHEN tier0 + tier1 < 30 THEN (SELECT count(*) … WHERE tier = 2 …) END AS tier2,
 *       CASE WHEN … >= 30 THEN (SELECT count(*) FROM crates) END AS crates
 */
export function countFound(query: PlannedQuery): BoundSql<SqlStatement['sql']> {
  const statement = new Statement(query);
  const nameConditions = statement.nameConditions();
  const count = (tier: number): string => {
    const crates = statement.matching(tier);
    const hits =
      nameConditions.length === 0
        ? `SELECT 1 FROM (${crates}) AS hits`
        : `SELECT 1 FROM (${crates}) AS hits JOIN crates ON crates.id = hits.id${where(nameConditions)}`;
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

/** The placeholders for both ends of a range of texts. */
interface Range {
  readonly from: string;
  readonly to: string;
}

/** Returns the condition that a column begins with a text: `name >= ?3 AND name < ?4`. */
function begin(column: string, { from, to }: Range): string {
  return `${column} >= ${from} AND ${column} < ${to}`;
}

/** Returns the condition for the rows of a word in `search_words`. It covers all columns of the index. */
function isWord(word: Range, tier: number, places = ANYWHERE): string {
  return `tier = ${tier} AND is_in_name IN (${places}) AND ${begin('word', word)}`;
}

/** Returns the condition that a crate has a word. Not a join, which a database might begin at its other end. */
function has(crate: string, word: Range): string {
  return `(SELECT 1 FROM search_words WHERE crate_id = ${crate} AND ${begin('word', word)} LIMIT 1) = 1`;
}

/** Selects `MAX_CANDIDATES` crates of a tier that have a word, first those that have it in their name. */
function limitedCandidates(word: Range, tier: number): string {
  const parts = [IN_NAME, ELSEWHERE].map(
    (places, index) =>
      `SELECT * FROM (SELECT crate_id AS id FROM search_words WHERE ${isWord(word, tier, places)} LIMIT ${MAX_CANDIDATES}) AS named${index}`,
  );
  return `SELECT DISTINCT id FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) AS either LIMIT ${MAX_CANDIDATES}) AS chosen`;
}

/**
 * Repeats the first text until the number of texts is one for which statements exist. This keeps the number of
 * different statements small, and each is prepared once. A duplicate condition does not change the result.
 */
function padTexts(texts: readonly string[], lengths: readonly number[]): readonly string[] {
  const [first] = texts;
  const length = lengths.find((candidate) => candidate >= texts.length) ?? texts.length;
  return first === undefined
    ? []
    : [first, ...texts.slice(1), ...Array.from({ length: length - texts.length }, () => first)];
}

/** A builder of a statement with its values. Neither the values nor, mostly, their number change its text. */
class Statement {
  readonly #query: SearchQuery & Partial<PlannedQuery>;
  readonly #values: SqlValue[] = [];
  #words: readonly Range[] | null = null;
  #beginnings: readonly Range[] | null = null;

  constructor(query: SearchQuery & Partial<PlannedQuery>) {
    this.#query = query;
  }

  /** The words of the query, bound when first used. */
  get words(): readonly Range[] {
    this.#words ??= this.#ranges(this.#query.words, WORD_COUNTS);
    return this.#words;
  }

  /** The beginnings of the query, bound when first used. */
  get beginnings(): readonly Range[] {
    this.#beginnings ??= this.#ranges(this.#query.beginnings, BEGINNING_COUNTS);
    return this.#beginnings;
  }

  /** Adds a value and returns its placeholder. */
  bind(value: SqlValue): string {
    return `?${this.#values.push(value)}`;
  }

  /** Returns the range of the texts that begin with `beginning`. */
  range(beginning: string): Range {
    const [from, to] = textRange(beginning);
    return { from: this.bind(from), to: this.bind(to) };
  }

  #ranges(texts: readonly string[], counts: readonly number[]): readonly Range[] {
    return padTexts(texts, counts).map((text) => this.range(text));
  }

  /** Returns conditions for the beginnings of names; none if `matching` covers them. */
  nameConditions(): readonly string[] {
    const { beginnings, words } = this.#query;
    return beginnings.length === 1 && words.length === 0 ? [] : this.beginsNames();
  }

  /** Returns conditions for the beginnings of names, for statements without `matching`. */
  beginsNames(): readonly string[] {
    return this.beginnings.map((beginning) => begin('crates.canonical_name', beginning));
  }

  /**
   * Selects the crates of a tier that have all words, each once, as `id`. For the words `serde` and `json`:
   *
   *     rare:      SELECT id FROM (SELECT DISTINCT crate_id … BEGINS 'serde') WHERE (SELECT 1 … BEGINS 'json') = 1
   *     frequent:  SELECT crate_id … BEGINS 'serde' INTERSECT SELECT crate_id … BEGINS 'json'
   *
   * In the last tier, if crates are ranked, frequent words use the form for rare ones, with a limit of candidates. That
   * form ignores `places`, which only queries with one word restrict: these are always rare.
   */
  withWords(tier: number, places = ANYWHERE): string {
    const { isRare = true, isTiered = true } = this.#query;
    const [firstWord, ...others] = this.words;
    const first = present(firstWord, 'the first word of a search');
    const crates = (word: Range): string =>
      `crate_id AS id FROM search_words WHERE ${isWord(word, tier, places)}`;
    const isLimited = !isRare && isTiered && tier === LAST_TIER;
    if (!isRare && !isLimited) return this.words.map((word) => `SELECT ${crates(word)}`).join(' INTERSECT ');
    const candidates = isLimited ? limitedCandidates(first, tier) : `SELECT DISTINCT ${crates(first)}`;
    const conditions = others.map((word) => has('candidates.id', word));
    return others.length === 0
      ? candidates
      : `SELECT id FROM (${candidates}) AS candidates${where(conditions)}`;
  }

  /** Selects the same as `withWords`; by the beginning of the name if there are no words. */
  matching(tier: number): string {
    if (this.#query.words.length > 0) return this.withWords(tier);
    const first = present(this.beginnings[0], 'the first word or beginning of a search');
    return `SELECT rowid AS id FROM crate_search WHERE tier = ${tier} AND ${begin('name', first)}`;
  }

  /** Selects a page of all parts in order. Parts after the page are not evaluated. */
  page(parts: readonly string[], { limit, offset }: PageRequest): BoundSql {
    return this.finish(`SELECT ${CRATE_COLUMNS}, place, tier, hits
      FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts
      LIMIT ${this.bind(limit)} OFFSET ${this.bind(offset)}) AS found
      JOIN crates ON crates.id = found.id ORDER BY place, ${MOST_USED}`);
  }

  /** Returns the statement with all values bound so far. */
  finish(sql: string): BoundSql {
    return { sql, values: this.#values };
  }
}
