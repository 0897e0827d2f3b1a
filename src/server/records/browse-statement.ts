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
import { teamNameOf } from '../store/team-login.ts';
import { CRATE_COLUMNS } from './crate-rows.ts';
import { type BoundSql, SORTED_BY } from './search-statement.ts';
import { escapePattern, keywordWord, parseQuery, type SearchQuery, textRange } from './search-words.ts';
import type { SqlDialect } from './sql-work.ts';
import { CATEGORIES, highestVersionMeets, OF_HIGHEST_VERSION, type SqlPart } from './version-conditions.ts';

/** Maximum number of crates that a list considers. */
const MAX_CANDIDATES = 20_000;

const MOST_USED_CRATES = `SELECT id, max_version, keywords, created_at FROM crates ORDER BY downloads DESC, id DESC LIMIT ${MAX_CANDIDATES}`;

/**
 * Returns the statement that counts the most used crates by the JSON array of their categories, with the time at which
 * the first of them was created.
 */
export function countByCategories(dialect: SqlDialect): string {
  // Materialized, so that each document is parsed only once. The pattern leaves out empty arrays.
  return `WITH found AS MATERIALIZED (SELECT ${CATEGORIES[dialect]} AS tags, created_at FROM (${MOST_USED_CRATES}) AS crates
      JOIN versions ON ${OF_HIGHEST_VERSION[dialect]})
    SELECT tags, count(*) AS total, min(created_at) AS created_at FROM found WHERE tags LIKE '["%' GROUP BY tags`;
}

/** As `countByCategories`, for the JSON array of the keywords in lower case. */
export const COUNT_BY_KEYWORDS = `SELECT tags, count(*) AS total, min(created_at) AS created_at
  FROM (SELECT lower(keywords) AS tags, created_at FROM (${MOST_USED_CRATES}) AS crates) AS found
  WHERE tags <> '[]' GROUP BY tags`;

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
    ...(query === null ? [] : matchesQuery(query)),
    // The last one: it takes longest.
    highestVersionMeets(filter, dialect),
  ].filter((condition) => condition !== null);
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
function candidatesOf({ owners, keywords }: CrateFilter, query: SearchQuery | null): SqlPart {
  const [login] = owners;
  if (login !== undefined) {
    const { sql, values } = ownedBy(login);
    return { sql: `SELECT crate_id AS id ${sql}`, values };
  }
  const word = keywords.map(keywordWord).find((keyword) => keyword !== null) ?? null;
  if (word !== null) return { sql: `SELECT crate_id AS id ${WORDS} word = ?`, values: [word] };
  const [firstWord] = query?.words ?? [];
  if (firstWord !== undefined)
    return {
      sql: `SELECT DISTINCT crate_id AS id ${WORDS} word >= ? AND word < ?`,
      values: textRange(firstWord),
    };
  return { sql: `SELECT id FROM (${MOST_USED_CRATES}) AS used`, values: [] };
}

const OF_USER = 'FROM owners AS owned JOIN users ON users.id = owned.user_id WHERE users.login_key = ?';
const OF_TEAM = 'FROM team_owners AS owned JOIN teams ON teams.id = owned.team_id WHERE teams.name_key = ?';
/** Names all tiers and both places, because the index `search_words_found` begins with these columns. */
const WORDS = 'FROM search_words WHERE tier IN (0, 1, 2) AND is_in_name IN (0, 1) AND';

function isOwnedBy(login: string): SqlPart {
  const { sql, values } = ownedBy(login);
  return { sql: `EXISTS (SELECT 1 ${sql} AND owned.crate_id = crates.id)`, values };
}

/** Returns the tables and the condition that select the crates of a user or a team. */
function ownedBy(login: string): SqlPart {
  const teamName = teamNameOf(login);
  return teamName === null
    ? { sql: OF_USER, values: [login.toLowerCase()] }
    : { sql: OF_TEAM, values: [teamName.toLowerCase()] };
}

function hasKeyword(keyword: string): SqlPart {
  return { sql: "lower(crates.keywords) LIKE ? ESCAPE '\\'", values: [`%"${escapePattern(keyword)}"%`] };
}

function matchesQuery({ words, beginnings }: SearchQuery): readonly SqlPart[] {
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
