import { present } from '../../core/errors/assert.ts';
import type { MirroredIndexState, MirrorListRecords } from '../store/upstream-records.ts';
import { asArchive, asIndexState } from './mirror-rows.ts';
import { isReservedName } from './reserved-name-records.ts';
import { flag, optionalInteger, placeholders, text, total } from './row.ts';
import { escapePattern, textRange } from './search-words.ts';
import { all, one, type SqlDatabase, type Work } from './sql-work.ts';

/** How many index files to examine for each that is wanted. SQLite reads past their contents. */
const EXAMINED_PER_ITEM = 4;
/** Maximum names to search for a part of them, which takes some milliseconds. Only an index is read. */
const MAX_SEARCHED_NAMES = 20_000;
/** Maximum names that a search finds. */
const MAX_FOUND_NAMES = 1_000;
/** Maximum values in a list of a statement. */
const MAX_VALUES = 500;

/**
 * The condition that an index file has content. Evicted ones are empty, and those that the upstream removed have none.
 */
const HAS_CONTENT = 'size > 0';

const CANONICAL_NAME = "replace(lower_case_name, '-', '_')";
/** The condition that a name is local, as `isLocalName` defines it. */
const IS_LOCAL = `(EXISTS (SELECT 1 FROM crates WHERE canonical_name = ${CANONICAL_NAME})
  OR ${isReservedName(CANONICAL_NAME)})`;

/** The columns that `asIndexState` reads. */
const STATE_COLUMNS =
  'upstream, lower_case_name, etag, upstream_etag, upstream_modified, changed_at, checked_at, size';

/** Values: the upstream, `after`, and both ends of the range of a prefix. Reads in the order of the primary key. */
const LIST_STATES = `SELECT ${STATE_COLUMNS}, CASE WHEN ${IS_LOCAL} THEN 1 ELSE 0 END AS is_local
  FROM pulled_index_files
  WHERE upstream = ? AND lower_case_name > ? AND lower_case_name >= ? AND lower_case_name < ?`;
const IN_ORDER = 'ORDER BY lower_case_name LIMIT ?';

/**
 * The condition that a name is one of the first that contain a part. Values: the upstream, `after`, the pattern and a
 * limit.
 */
const HAS_PART = `lower_case_name IN (
  SELECT name FROM (SELECT lower_case_name AS name FROM pulled_index_files
    WHERE upstream = ? AND lower_case_name > ? ORDER BY lower_case_name LIMIT ${MAX_SEARCHED_NAMES}) AS searched
  WHERE replace(name, '_', '-') LIKE ? ESCAPE '\\' ORDER BY name LIMIT ?)`;

/** Finds names that contain a text, first those that begin with it. Reads the rows of found names only. */
const FIND_NAMES = `SELECT lower_case_name FROM (
    SELECT name, CASE WHEN replace(name, '_', '-') LIKE ? ESCAPE '\\' THEN 0 ELSE 1 END AS place FROM (
      SELECT name FROM (SELECT lower_case_name AS name FROM pulled_index_files
        WHERE upstream = ? ORDER BY lower_case_name LIMIT ${MAX_SEARCHED_NAMES}) AS first_names
      UNION SELECT name FROM (SELECT lower_case_name AS name FROM pulled_index_files
        WHERE upstream = ? AND lower_case_name >= ? AND lower_case_name < ?
        ORDER BY lower_case_name LIMIT ${MAX_FOUND_NAMES}) AS names_in_range) AS searched
    WHERE replace(name, '_', '-') LIKE ? ESCAPE '\\' ORDER BY place, name LIMIT ${MAX_FOUND_NAMES}) AS found
  JOIN pulled_index_files ON upstream = ? AND lower_case_name = found.name
  WHERE ${HAS_CONTENT} AND NOT ${IS_LOCAL} ORDER BY found.place, found.name`;

/** Implements the record methods for lists of the cache of upstreams. */
export function mirrorListRecords(database: SqlDatabase): MirrorListRecords {
  return {
    async listMirroredStates(upstream, { prefix, part, after, limit }) {
      const examined = limit * EXAMINED_PER_ITEM;
      const [from, to] = textRange(prefix);
      const pattern = `%${escapePattern(part.replaceAll('_', '-'))}%`;
      const rows = await database.read(() =>
        part === ''
          ? all(`${LIST_STATES} ${IN_ORDER}`, upstream, after, from, to, examined)
          : all(
              `${LIST_STATES} AND ${HAS_PART} ${IN_ORDER}`,
              ...[upstream, after, from, to],
              ...[upstream, after, pattern, examined],
              examined,
            ),
      );
      const visibleRows = rows.filter(
        (row) => !flag(row, 'is_local') && (optionalInteger(row, 'size') ?? 0) > 0,
      );
      const items = visibleRows.slice(0, limit).map(asIndexState);
      if (visibleRows.length > limit) return { items, next: items.at(-1)?.lowerCaseName ?? null };
      // If the limit of rows ended the search, more names may follow the last examined one.
      const last = rows.length === examined ? rows.at(-1) : undefined;
      return { items, next: last === undefined ? null : text(last, 'lower_case_name') };
    },
    async searchMirroredStates(upstream, part, { limit, offset }) {
      const pattern = escapePattern(part.replaceAll('_', '-'));
      return await database.readMoment(function* () {
        const found = yield* all(
          FIND_NAMES,
          ...[`${pattern}%`, upstream, upstream, ...textRange(part)],
          ...[`%${pattern}%`, upstream],
        );
        const names = found.map((row) => text(row, 'lower_case_name'));
        return { items: yield* statesOf(upstream, names.slice(offset, offset + limit)), total: names.length };
      });
    },
    async findMirroredNames(upstream, lowerCaseNames) {
      const names = lowerCaseNames.slice(0, MAX_VALUES);
      if (names.length === 0) return new Set();
      const sql = `SELECT lower_case_name FROM pulled_index_files WHERE upstream = ? AND ${HAS_CONTENT}
        AND lower_case_name IN (${placeholders(names)})`;
      const rows = await database.read(() => all(sql, upstream, ...names));
      return new Set(rows.map((row) => text(row, 'lower_case_name')));
    },
    async listMirroredArchives(checksums) {
      const values = checksums.slice(0, MAX_VALUES);
      if (values.length === 0) return [];
      const sql = `SELECT * FROM pulled_archives WHERE checksum IN (${placeholders(values)})`;
      return (await database.read(() => all(sql, ...values))).map(asArchive);
    },
    async countMirrored() {
      const [files, archives] = await database.readMoment(function* () {
        const sql = 'SELECT count(*) AS total FROM pulled_index_files WHERE checked_at > 0 AND size > 0';
        return [yield* one(sql), yield* one('SELECT count(*) AS total FROM pulled_archives')] as const;
      });
      return { indexFiles: total(files), archives: total(archives) };
    },
  };
}

/** Returns the states of index files with these names, in their order. */
function* statesOf(upstream: string, names: readonly string[]): Work<readonly MirroredIndexState[]> {
  if (names.length === 0) return [];
  const sql = `SELECT ${STATE_COLUMNS} FROM pulled_index_files
    WHERE upstream = ? AND lower_case_name IN (${placeholders(names)})`;
  const rows = yield* all(sql, upstream, ...names);
  const states = new Map(rows.map((row) => [text(row, 'lower_case_name'), asIndexState(row)]));
  return names.map((name) => present(states.get(name), 'an index file that was just found'));
}
