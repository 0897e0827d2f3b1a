/** Finds the crates whose newest version depends on a given crate. */
import { canonicalName } from '../store/canonical-name.ts';
import type { CrateRecords, DependentsRequest } from '../store/crate-records.ts';
import type { Dependent, Page, PageRequest } from '../store/values.ts';
import { isInJsonList } from './json-list.ts';
import { flag, text, total } from './row.ts';
import { COUNT_CRATES } from './search-statement.ts';
import { all, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/** Maximum number of listed and counted dependents of a crate that very many depend on. */
const MAX_LISTED = 1000;
/** If this many dependency entries name a crate, they are not all read. */
const MANY_ENTRIES = 20_000;
/** Number of the most used crates that are sampled, to tell whether and how many crates depend on a crate. */
const SAMPLE_SIZE = 500;
/** If this many sampled crates depend on a crate, it has many dependents. */
const MIN_SAMPLED = 10;

/** Of several dependency entries of one version, the kind that matters most to users of the crate comes first. */
const ENTRY_RANK = `row_number() OVER (PARTITION BY crates.id ORDER BY
  CASE dependencies.kind WHEN 'normal' THEN 0 WHEN 'build' THEN 1 ELSE 2 END) AS place`;
const COLUMNS = `crates.name AS crate, crates.id, crates.canonical_name, crates.downloads, versions.version,
  dependencies.version_req, dependencies.kind, dependencies.is_optional, ${ENTRY_RANK}`;

/** The entries that name a crate, of newest versions. */
const ENTRIES = `FROM dependencies JOIN versions ON versions.id = dependencies.version_id
    JOIN crates ON crates.id = versions.crate_id AND crates.max_version = versions.version
    WHERE dependencies.canonical_name = ?`;

/** Selects dependents: all, or those with an entry that meets a further condition, which begins with `AND`. */
function dependentsWith(condition: string): string {
  return `FROM (SELECT ${COLUMNS} ${ENTRIES} ${condition}) AS ranked WHERE place = 1`;
}

function listWith(condition: string): string {
  return `SELECT *, count(*) OVER () AS total ${dependentsWith(condition)}
    ORDER BY downloads DESC, canonical_name LIMIT ? OFFSET ?`;
}

function countWith(condition: string): string {
  return `SELECT count(*) AS total ${dependentsWith(condition)}`;
}

/** The statements for all dependents, and for those whose requirement is in a JSON array, the value after the name. */
const ALL = { list: listWith(''), count: countWith('') };
const IS_ACCEPTED = isInJsonList('dependencies.version_req', '?');
const ACCEPTED = {
  list: { sqlite: listWith(`AND ${IS_ACCEPTED.sqlite}`), postgres: listWith(`AND ${IS_ACCEPTED.postgres}`) },
  count: {
    sqlite: countWith(`AND ${IS_ACCEPTED.sqlite}`),
    postgres: countWith(`AND ${IS_ACCEPTED.postgres}`),
  },
};

const COUNT_ENTRIES = `SELECT count(*) AS total FROM
  (SELECT 1 FROM dependencies WHERE canonical_name = ?1 LIMIT ${MANY_ENTRIES}) AS entries`;

const JOIN_NEWEST_VERSION =
  'JOIN versions ON versions.crate_id = crates.id AND versions.version = crates.max_version';
/** Not a join, which a database might begin at its other end. */
const DEPENDS_ON_CRATE =
  '(SELECT 1 FROM dependencies WHERE version_id = versions.id AND canonical_name = ?1 LIMIT 1) = 1';

/**
 * Lists the most used dependents. A scan of crates in that order soon finds the first ones if there are many. At the
 * other end of an inner join, or with an index of names, SQLite would read all entries with this name. Values: the
 * canonical name, the limit, the offset, and the sum of both.
 */
const MOST_USED = `SELECT * FROM (SELECT ${COLUMNS}
  FROM (SELECT crates.id, crates.name, crates.canonical_name, crates.downloads, versions.id AS version_id
    FROM crates ${JOIN_NEWEST_VERSION} WHERE ${DEPENDS_ON_CRATE} ORDER BY crates.downloads DESC, crates.id DESC LIMIT ?4) AS crates
  JOIN versions ON versions.id = crates.version_id
  LEFT JOIN dependencies ON dependencies.version_id = versions.id AND dependencies.canonical_name || '' = ?1) AS ranked
  WHERE place = 1 ORDER BY downloads DESC, id DESC LIMIT ?2 OFFSET ?3`;

const COUNT_MOST_USED = `SELECT count(*) AS total FROM (SELECT id, max_version FROM crates
  ORDER BY downloads DESC, id DESC LIMIT ${SAMPLE_SIZE}) AS crates ${JOIN_NEWEST_VERSION} WHERE ${DEPENDS_ON_CRATE}`;

/** Implements `listDependents`. Of very many dependents it lists the first thousand and estimates their number. */
export function dependentRecords(database: SqlDatabase): Pick<CrateRecords, 'listDependents'> {
  return {
    async listDependents(crate, request) {
      const name = canonicalName(crate);
      return await database.readMoment(() => listDependents(name, request), { plan: 'by-indexes' });
    },
  };
}

function* listDependents(name: string, request: DependentsRequest): Work<Page<Dependent>> {
  if (total(yield* one(COUNT_ENTRIES, name)) === MANY_ENTRIES) {
    const sampled = total(yield* one(COUNT_MOST_USED, name));
    if (sampled >= MIN_SAMPLED) return yield* listFirst(name, request, sampled);
  }
  const { limit, offset, accepts } = request;
  const accepted =
    accepts === undefined ? [] : [JSON.stringify((yield* requirementsOf(name)).filter(accepts))];
  const { list, count } = accepts === undefined ? ALL : ACCEPTED;
  const rows = yield* all(list, name, ...accepted, limit, offset);
  // A page after the end has no row with the total.
  const rowWithTotal = rows[0] ?? (yield* one(count, name, ...accepted));
  return { items: rows.map(asDependent), total: total(rowWithTotal) };
}

/** Returns the requirements of newest versions on a crate, each once. */
function* requirementsOf(name: string): Work<readonly string[]> {
  return (yield* all(`SELECT DISTINCT dependencies.version_req ${ENTRIES}`, name)).map((row) =>
    text(row, 'version_req'),
  );
}

/** Lists the dependents of a crate that very many depend on. A filter applies to the first ones only. */
function* listFirst(name: string, request: DependentsRequest, sampled: number): Work<Page<Dependent>> {
  const { limit, offset, accepts } = request;
  if (accepts === undefined) return yield* listMostUsed(name, { limit, offset }, sampled);
  const { items } = yield* listMostUsed(name, { limit: MAX_LISTED, offset: 0 }, sampled);
  const accepted = items.filter(({ versionReq }) => accepts(versionReq));
  return { items: accepted.slice(offset, offset + limit), total: accepted.length };
}

/** Lists the most used dependents. `sampled` of the `SAMPLE_SIZE` most used crates are dependents. */
function* listMostUsed(name: string, { limit, offset }: PageRequest, sampled: number): Work<Page<Dependent>> {
  const pageSize = Math.max(0, Math.min(limit, MAX_LISTED - offset));
  const rows = pageSize === 0 ? [] : yield* all(MOST_USED, name, pageSize, offset, offset + pageSize);
  const crates = total(yield* one(COUNT_CRATES));
  const estimate = Math.round((sampled / Math.min(SAMPLE_SIZE, crates)) * crates);
  const listed = rows.length === 0 ? 0 : offset + rows.length;
  // A page that is not full is the last one.
  const isLast = rows.length < pageSize && rows.length > 0;
  const dependents = isLast ? listed : Math.max(listed, sampled, Math.min(MAX_LISTED, estimate));
  return { items: rows.map(asDependent), total: dependents };
}

function asDependent(row: SqlRow): Dependent {
  const kind = text(row, 'kind');
  return {
    crate: text(row, 'crate'),
    version: text(row, 'version'),
    versionReq: text(row, 'version_req'),
    kind: kind === 'dev' || kind === 'build' ? kind : 'normal',
    isOptional: flag(row, 'is_optional'),
  };
}
