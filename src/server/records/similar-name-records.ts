/** Finds crates with similar names. */
import { editDistance } from '../../core/errors/similar-names.ts';
import { canonicalName } from '../store/canonical-name.ts';
import { placeholders, text } from './row.ts';
import { textRange } from './search-words.ts';
import { all, type Work } from './sql-work.ts';

/** Maximum number of names that are compared because they begin with the same character. */
const MAX_SAME_START = 20_000;
/** Maximum number of names that are compared because they contain the characters after the first one. */
const MAX_SAME_PART = 2000;
/** Longer names do not exist. */
const MAX_NAME_CHARS = 64;
/**
 * Start and end of the part of a name, after its first character, that names with another first character must contain.
 */
const SHARED_PART = [1, 4] as const;

/**
 * Returns at most `limit` names of crates that differ from `name` by at most a third of its characters, and at most
 * three. The most similar ones come first, including `name` itself if it exists.
 */
export function* findSimilarNames(name: string, limit: number): Work<readonly string[]> {
  const canonical = canonicalName(name);
  const { length } = canonical;
  if (length === 0 || length > MAX_NAME_CHARS) return [];
  const maxDistance = Math.min(3, Math.max(1, Math.floor(length / 3)));
  const sharedPart = canonical.slice(...SHARED_PART);
  const rows = yield* all(
    `SELECT name FROM (SELECT name FROM crate_search WHERE name >= ? AND name < ? LIMIT ${MAX_SAME_START}) AS same_start
       WHERE length(name) BETWEEN ? AND ?
     UNION SELECT crate_search.name FROM (SELECT crate_id FROM search_words WHERE tier IN (0, 1, 2) AND is_in_name = 1
       AND word >= ? AND word < ? LIMIT ${MAX_SAME_PART}) AS same_rest
       JOIN crate_search ON crate_search.rowid = same_rest.crate_id`,
    ...textRange(canonical.slice(0, 1)),
    length - maxDistance,
    length + maxDistance,
    ...textRange(sharedPart),
  );
  const closest = rows
    .map((row) => text(row, 'name'))
    .flatMap((candidate) => {
      const distance = editDistance(canonical, candidate, maxDistance);
      return distance === null ? [] : [{ candidate, distance }];
    })
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, limit);
  return yield* publishedNames(closest.map(({ candidate }) => candidate));
}

/** Returns the names as first published, in the order of the canonical ones. */
function* publishedNames(canonical: readonly string[]): Work<readonly string[]> {
  if (canonical.length === 0) return [];
  const sql = `SELECT name, canonical_name FROM crates WHERE canonical_name IN (${placeholders(canonical)})`;
  const names = new Map(
    (yield* all(sql, ...canonical)).map((row) => [text(row, 'canonical_name'), text(row, 'name')]),
  );
  return canonical.flatMap((name) => names.get(name) ?? []);
}
