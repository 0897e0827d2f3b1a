/**
 * The statement of a filtered list of crates. One condition, which an index can answer, selects a limited number of
 * candidates; the others are checked for each candidate. Without such a condition, the most used crates are candidates.
 *
 *     SELECT … FROM (
 *       SELECT crates.id, count(*) OVER () AS total
 *       FROM (SELECT crate_id AS id FROM search_words WHERE word = 'json' … LIMIT 20000) AS candidates
 *       JOIN crates … WHERE lower(crates.keywords) LIKE '%"json"%' AND …
 *       ORDER BY downloads + 0 DESC LIMIT 50 OFFSET 0
 *     ) AS found JOIN crates … ORDER BY downloads + 0 DESC
 */
import type { CrateFilter, ListRequest } from '../store/browse-records.ts';
import { CRATE_COLUMNS } from './crate-rows.ts';
import { type BoundSql, SORTED_BY } from './search-statement.ts';
import { escapePattern, keywordWord, parseQuery, type SearchQuery, textRange } from './search-words.ts';
import type { SqlDialect, SqlValue } from './sql-work.ts';

/** Maximum number of crates that a list considers. */
const MAX_CANDIDATES = 20_000;

const MOST_USED_CRATES = `SELECT id, max_version FROM crates ORDER BY downloads DESC, id DESC LIMIT ${MAX_CANDIDATES}`;

/**
 * The categories of a row of `versions` as a JSON array. PostgreSQL takes twice as long to parse the document as to find
 * them as text, which is exact: `readme` is null in every document, and texts cannot imitate keys with their quotes.
 */
const CATEGORIES: Readonly<Record<SqlDialect, string>> = {
  sqlite: "json_extract(versions.metadata, '$.categories')",
  postgres: `split_part(split_part(split_part(versions.metadata, '"readme":null', 2), '"categories":', 2), ',"license":', 1)`,
};

const IS_HIGHEST_VERSION = 'versions.crate_id = crates.id AND versions.version = crates.max_version';
/** The condition for the highest version of a crate. An index of SQLite has only versions without build metadata. */
const OF_HIGHEST_VERSION: Readonly<Record<SqlDialect, string>> = {
  sqlite: `${IS_HIGHEST_VERSION} AND versions.version_without_build =
    substr(crates.max_version || '+', 1, instr(crates.max_version || '+', '+') - 1)`,
  postgres: IS_HIGHEST_VERSION,
};

/** Returns the statement that counts the most used crates by the JSON array of their categories. */
export function countByCategories(dialect: SqlDialect): string {
  // Materialized, so that each document is parsed only once.
  return `WITH found AS MATERIALIZED (SELECT ${CATEGORIES[dialect]} AS categories FROM (${MOST_USED_CRATES}) AS crates
      JOIN versions ON ${OF_HIGHEST_VERSION[dialect]})
    SELECT categories, count(*) AS total FROM found WHERE categories LIKE '["%' GROUP BY categories`;
}

/** A part of a statement, and its values in the order of their placeholders. */
interface Part {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Returns the statement that lists a page. Each row has the number of all matches as `total`. */
export function listFiltered(
  filter: CrateFilter,
  { order, limit, offset, dialect }: ListRequest & { readonly dialect: SqlDialect },
): BoundSql {
  const query = parseQuery(filter.query);
  const candidates = candidatesOf(filter, query);
  const conditions = [
    ...filter.owners.map(isOwnedBy),
    ...filter.keywords.map(hasKeyword),
    ...filter.categories.map((slug) => isInCategory(slug, dialect)),
    ...(query === null ? [] : matchesQuery(query)),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return {
    sql: `SELECT ${CRATE_COLUMNS}, found.total FROM (
      SELECT crates.id, count(*) OVER () AS total FROM (${candidates.sql} LIMIT ${MAX_CANDIDATES}) AS candidates
      JOIN crates ON crates.id = candidates.id ${where} ORDER BY ${SORTED_BY[order]} LIMIT ? OFFSET ?) AS found
      JOIN crates ON crates.id = found.id ORDER BY ${SORTED_BY[order]}`,
    values: [...candidates.values, ...conditions.flatMap(({ values }) => values), limit, offset],
  };
}

/** Selects the candidates by the condition that usually has the fewest matches. */
function candidatesOf({ owners, keywords }: CrateFilter, query: SearchQuery | null): Part {
  const [login] = owners;
  if (login !== undefined) return { sql: `SELECT crate_id AS id ${OWNERS}`, values: [login.toLowerCase()] };
  const word = keywords.map(keywordWord).find((found) => found !== null) ?? null;
  if (word !== null) return { sql: `SELECT crate_id AS id ${WORDS} word = ?`, values: [word] };
  const [firstWord] = query?.words ?? [];
  if (firstWord !== undefined)
    return {
      sql: `SELECT DISTINCT crate_id AS id ${WORDS} word >= ? AND word < ?`,
      values: textRange(firstWord),
    };
  return { sql: `SELECT id FROM (${MOST_USED_CRATES}) AS used`, values: [] };
}

const OWNERS = 'FROM owners JOIN users ON users.id = owners.user_id WHERE users.login_key = ?';
/** The index begins with these columns. */
const WORDS = 'FROM search_words WHERE tier IN (0, 1, 2) AND is_in_name IN (0, 1) AND';

function isOwnedBy(login: string): Part {
  return {
    sql: `EXISTS (SELECT 1 ${OWNERS} AND owners.crate_id = crates.id)`,
    values: [login.toLowerCase()],
  };
}

function hasKeyword(keyword: string): Part {
  return { sql: "lower(crates.keywords) LIKE ? ESCAPE '\\'", values: [`%"${escapePattern(keyword)}"%`] };
}

function isInCategory(slug: string, dialect: SqlDialect): Part {
  // With a quote after each level, a slug and its parents are the texts between a quote at the start and any other one.
  const withQuotes = `replace(${CATEGORIES[dialect]}, '::', '":')`;
  return {
    sql: `EXISTS (SELECT 1 FROM versions WHERE ${OF_HIGHEST_VERSION[dialect]} AND ${withQuotes} LIKE ? ESCAPE '\\')`,
    values: [`%"${escapePattern(slug.replaceAll('::', '":'))}"%`],
  };
}

function matchesQuery({ words, beginnings }: SearchQuery): readonly Part[] {
  return [
    ...words.map((word) => ({
      sql: 'EXISTS (SELECT 1 FROM search_words WHERE crate_id = crates.id AND word >= ? AND word < ?)',
      values: textRange(word),
    })),
    ...beginnings.map((beginning) => ({
      sql: '(crates.canonical_name >= ? AND crates.canonical_name < ?)',
      values: textRange(beginning),
    })),
  ];
}
