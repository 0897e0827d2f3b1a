import type { MirrorListRecords } from '../store/upstream-records.ts';
import { asArchive, asIndexState } from './mirror-rows.ts';
import { flag, optionalInteger, text, total } from './row.ts';
import { escapePattern, textRange } from './search-words.ts';
import { all, one, type SqlDatabase } from './sql-work.ts';

/** How many index files to examine for each that is wanted. SQLite reads past their contents. */
const EXAMINED_PER_ITEM = 4;
/** Maximum names to search for a part of them, which takes some milliseconds. Only an index is read. */
const MAX_SEARCHED_NAMES = 20_000;
/** Maximum values in a list of a statement. */
const MAX_VALUES = 500;

/** Whether an index file has content. Evicted ones are empty, and those that the upstream removed have none. */
const HAS_CONTENT = 'size > 0';

/** Reads index files in the order of the primary key. A name is local as `isLocalName` defines it. */
const LIST_STATES = `SELECT upstream, lower_case_name, etag, upstream_etag, upstream_modified, changed_at, checked_at, size,
  CASE WHEN EXISTS (SELECT 1 FROM crates WHERE canonical_name = replace(lower_case_name, '-', '_'))
    OR EXISTS (SELECT 1 FROM own_names WHERE pattern = replace(lower_case_name, '-', '_') OR (pattern LIKE '%*'
      AND substr(pattern, 1, length(pattern) - 1)
        = substr(replace(lower_case_name, '-', '_'), 1, length(pattern) - 1)))
    THEN 1 ELSE 0 END AS is_local
  FROM pulled_index_files
  WHERE upstream = ? AND lower_case_name > ? AND lower_case_name >= ? AND lower_case_name < ?`;
const IN_ORDER = 'ORDER BY lower_case_name LIMIT ?';

/** Whether a name is one of the first that contain a part. */
const HAS_PART = `lower_case_name IN (
  SELECT name FROM (SELECT lower_case_name AS name FROM pulled_index_files
    WHERE upstream = ? AND lower_case_name > ? ORDER BY lower_case_name LIMIT ${MAX_SEARCHED_NAMES}) AS searched
  WHERE replace(name, '_', '-') LIKE ? ESCAPE '\\' ORDER BY name LIMIT ?)`;

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
      const last = rows.length === examined ? rows.at(-1) : undefined;
      return { items, next: last === undefined ? null : text(last, 'lower_case_name') };
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

function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
