/**
 * Search in PostgreSQL, as fast in many crates as in few. The most used crates are kept apart by `crate_search.tier`
 * (1000, the next 9000, and the rest), each with indexes of its own: what is frequent is found among the first, what is
 * rare is rare in the rest as well. So each step reads about as many rows as a page needs.
 */
import { canonicalName } from '../canonical-name.ts';
import type { CrateOrder, SearchRequest } from '../store.ts';
import type { Crate, Page, PageRequest } from '../store-values.ts';
import { asCrate, CRATE_COLUMNS } from './crate-rows.ts';
import { CRATE_ORDERS, escapePattern, isUnindexed, nameRange } from './search-words.ts';
import { integer, optionalInteger } from './row.ts';
import {
  all,
  CUSTOM_PLAN,
  GENERIC_PLAN,
  one,
  type SqlDatabase,
  type SqlRow,
  type SqlValue,
  type Work,
} from './sql-work.ts';

/** Says anew which crates are in which tier. */
export const RANK_CRATES = 'SELECT rank_crates()';

/** Crates in the first tiers, if there are any: the last one has the rest. */
const TIER_SIZES = [1000, 9000];
/** Pages end here, and so does counting. */
const MAX_FOUND = 1000;
/** So many of the most used crates tell how many there are of all: the true number is hardly ever less than half of it. */
const ENOUGH_TO_ESTIMATE = 30;

/** Finds crates with all of `words`, at least one; of more than a thousand the first thousand, and counts no further. */
export async function searchPostgres(
  database: SqlDatabase,
  words: readonly string[],
  { limit, offset, order }: SearchRequest,
): Promise<Page<Crate>> {
  const page = { limit: Math.max(0, Math.min(limit, MAX_FOUND - offset)), offset };
  if (order !== undefined && order !== 'downloads') return await inOrder(database, words, { ...page, order });
  const statement = order === undefined ? bestFirst(words, page) : mostUsedFirst(words, page);
  return await database.readMoment(function* () {
    yield* all({ sqlite: null, postgres: GENERIC_PLAN });
    const items = (yield* all(statement.sql, ...statement.values)).map(asCrate);
    const known = items.length === 0 ? 0 : offset + items.length;
    const isLastPage = items.length < page.limit && (items.length > 0 || offset === 0);
    return { items, total: isLastPage ? known : Math.max(known, yield* countFound(words)) };
  });
}

/** A statement that is written part by part, with its values. */
class Statement {
  readonly values: SqlValue[] = [];

  /** What stands for a value. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `?${this.values.length}`;
  }

  /** What the rows of `crate_search` must be to have all words. */
  everyWord(words: readonly string[]): string {
    return words
      .map((word) => {
        const name = canonicalName(word);
        if (isUnindexed(word)) return this.beginsWith(name);
        const lower = word.toLowerCase();
        const anywhere = this.bind(`%${escapePattern(lower)}%`);
        if (name === lower) return `everything LIKE ${anywhere}`;
        // One look into the index for both spellings: `_` stands for any character.
        const either = this.bind(`%${name.split('_').map(escapePattern).join('_')}%`);
        const named = this.bind(`%${escapePattern(name)}%`);
        return `everything LIKE ${either} AND (everything || '' LIKE ${anywhere} OR search.name || '' LIKE ${named})`;
      })
      .join(' AND ');
  }

  beginsWith(name: string): string {
    const [from, to] = nameRange(name);
    return `search.name >= ${this.bind(from)} AND search.name < ${this.bind(to)}`;
  }
}

/** Which tiers there are, the most used first, as conditions that the indexes of each were made with. */
const USED_TIERS = ['tier = 0', 'tier = 1'];
const LAST_TIER = 'tier = 2';
const TIERS = [...USED_TIERS, LAST_TIER];

/** What is ready to be asked. */
interface Finished {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * The name itself, beginnings of names, parts of names, and the rest; each with the most downloads first. Only of the
 * most used crates those with a part of the name come before all others: to find them all is no work of a moment.
 */
function bestFirst(words: readonly string[], { limit, offset }: PageRequest): Finished {
  const statement = new Statement();
  const name = canonicalName(words.join('-'));
  const whole = statement.bind(name);
  const beginning = statement.beginsWith(name);
  const wanted = statement.bind(limit + offset);
  const isShort = words.length === 1 && words.every(isUnindexed);
  const every = isShort ? '' : statement.everyWord(words);
  // A name that begins with all of the words has each of them, unless one has to be its beginning.
  const also = words.length > 1 && words.some(isUnindexed) ? ` AND ${every}` : '';
  const parts = [
    `(SELECT search.rowid, 0 AS place FROM crate_search AS search WHERE search.name = ${whole}${also})`,
    ...TIERS.map((tier) =>
      partOf(`${tier} AND ${beginning} AND search.name <> ${whole}${also}`, { place: 1, wanted }),
    ),
  ];
  if (!isShort) {
    const part = `search.name LIKE ${statement.bind(`%${escapePattern(name)}%`)}`;
    const others = `${every} AND NOT (${beginning})`;
    for (const tier of USED_TIERS)
      parts.push(partOf(`${tier} AND ${others} AND ${part}`, { place: 2, wanted }));
    for (const tier of USED_TIERS)
      parts.push(partOf(`${tier} AND ${others} AND NOT (${part})`, { place: 3, wanted }));
    parts.push(
      partOf(`${LAST_TIER} AND ${others}`, { place: `CASE WHEN ${part} THEN 4 ELSE 5 END`, wanted }),
    );
  }
  return { sql: pageOf(parts, statement, { limit, offset }), values: statement.values };
}

function mostUsedFirst(words: readonly string[], { limit, offset }: PageRequest): Finished {
  const statement = new Statement();
  const every = statement.everyWord(words);
  const wanted = statement.bind(limit + offset);
  const parts = TIERS.map((tier) => partOf(`${tier} AND ${every}`, { place: 0, wanted }));
  return { sql: pageOf(parts, statement, { limit, offset }), values: statement.values };
}

const MOST_USED = 'crates.downloads DESC, crates.canonical_name';

/** As many as are wanted at most. */
function partOf(
  condition: string,
  { place, wanted }: { readonly place: number | string; readonly wanted: string },
): string {
  return `(SELECT search.rowid, ${place} AS place FROM crate_search AS search
    JOIN LATERAL (SELECT downloads, canonical_name FROM crates WHERE id = search.rowid OFFSET 0) AS crates ON TRUE
    WHERE ${condition} ORDER BY place, ${MOST_USED} LIMIT ${wanted})`;
}

/** A page of all parts, one after the other: what comes behind the page is never looked for. */
function pageOf(parts: readonly string[], statement: Statement, { limit, offset }: PageRequest): string {
  return `SELECT ${CRATE_COLUMNS} FROM (SELECT * FROM (${parts.join(' UNION ALL ')}) AS parts
    LIMIT ${statement.bind(limit)} OFFSET ${statement.bind(offset)}) AS found
    JOIN crates ON crates.id = found.rowid ORDER BY place, ${MOST_USED}`;
}

/**
 * Another order than the tiers have: what is rare is found and put in order, what is frequent is met soon by whoever
 * goes through all crates in that order.
 */
async function inOrder(
  database: SqlDatabase,
  words: readonly string[],
  { limit, offset, order }: PageRequest & { readonly order: CrateOrder },
): Promise<Page<Crate>> {
  const statement = new Statement();
  const every = statement.everyWord(words);
  const part = `ORDER BY ${CRATE_ORDERS[order]} LIMIT ${statement.bind(limit)} OFFSET ${statement.bind(offset)}`;
  const select = `SELECT ${CRATE_COLUMNS} FROM`;
  const rare = `${select} crate_search AS search JOIN LATERAL (SELECT * FROM crates WHERE id = search.rowid OFFSET 0)
    AS crates ON TRUE WHERE ${every} ${part}`;
  const frequent = `${select} crates WHERE EXISTS (SELECT 1 FROM crate_search AS search
    WHERE search.rowid = crates.id AND ${every} OFFSET 0) ${part}`;
  return await database.readMoment(function* () {
    yield* all({ sqlite: null, postgres: GENERIC_PLAN });
    const total = yield* countFound(words);
    // How many rows are wanted says whether the order of an index is worth while.
    if (total >= MAX_FOUND) yield* all({ sqlite: null, postgres: CUSTOM_PLAN });
    const rows = yield* all(total < MAX_FOUND ? rare : frequent, ...statement.values);
    return { items: rows.map(asCrate), total };
  });
}

/** How many have all words, no more than `MAX_FOUND`: tier by tier, until those that were counted tell of the rest. */
function* countFound(words: readonly string[]): Work<number> {
  const statement = new Statement();
  const every = statement.everyWord(words);
  const enough = statement.bind(ENOUGH_TO_ESTIMATE);
  const most = statement.bind(MAX_FOUND);
  const count = (tier: number): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM crate_search AS search WHERE ${TIERS[tier]} AND ${every} LIMIT ${most}) AS found)`;
  const row = yield* one(
    `WITH first AS MATERIALIZED (SELECT ${count(0)} AS found),
    second AS MATERIALIZED (
      SELECT found, CASE WHEN found < ${enough} THEN ${count(1)} END AS more FROM first)
    SELECT found, more, CASE WHEN found + more < ${enough} THEN ${count(2)} END AS rest,
      (SELECT CAST(coalesce(sum(crates), 0) AS BIGINT) FROM totals) AS crates FROM second`,
    ...statement.values,
  );
  return row === null ? 0 : Math.min(MAX_FOUND, estimate(row));
}

function estimate(row: SqlRow): number {
  const found = integer(row, 'found');
  const more = optionalInteger(row, 'more');
  const rest = optionalInteger(row, 'rest');
  if (more !== null && rest !== null) return found + more + rest;
  const [first = 0, second = 0] = TIER_SIZES;
  const looked = more === null ? first : first + second;
  return Math.max(found + (more ?? 0), Math.round(((found + (more ?? 0)) / looked) * integer(row, 'crates')));
}
