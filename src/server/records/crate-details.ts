/** Reads crates together with facts about their versions. */
import { present } from '../../core/errors/assert.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { CrateDetailRecords, CrateDetails } from '../store/crate-records.ts';
import type { Crate, Version } from '../store/values.ts';
import { asCrate, asVersion, CRATE_COLUMNS, SELECT_VERSIONS } from './crate-rows.ts';
import { integer, optionalText, placeholders, text } from './row.ts';
import { all, type SqlDatabase, type Work } from './sql-work.ts';

/** A crate and its version `maxVersion`. */
interface ShownVersion {
  readonly crate: Crate;
  readonly version: Version;
}

/** Implements the record method that describes several crates at once. */
export function crateDetailRecords(database: SqlDatabase): CrateDetailRecords {
  return {
    async describeCrates(names) {
      return names.length === 0 ? [] : await database.readMoment(() => describeCrates(names));
    },
  };
}

function* describeCrates(names: readonly string[]): Work<readonly CrateDetails[]> {
  const keys = names.map(canonicalName);
  const sql = `SELECT ${CRATE_COLUMNS} FROM crates WHERE canonical_name IN (${placeholders(keys)})`;
  const crates = (yield* all(sql, ...keys)).map(asCrate);
  if (crates.length === 0) return [];
  const shown = yield* shownVersions(crates);
  const facts = yield* versionFacts(crates);
  const stable = yield* maxStableVersions(shown);
  const details = shown.map(({ crate, version }): readonly [string, CrateDetails] => [
    canonicalName(crate.name),
    {
      crate,
      shown: version,
      ...present(facts.get(crate.id), 'the versions of a crate'),
      maxStableVersion: stable.get(crate.id) ?? null,
    },
  ]);
  const byKey = new Map(details);
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Returns the crates with their highest versions. */
function* shownVersions(crates: readonly Crate[]): Work<readonly ShownVersion[]> {
  const sql = `${SELECT_VERSIONS}
    WHERE crates.id IN (${placeholders(crates)}) AND versions.version = crates.max_version`;
  const versions = (yield* all(sql, ...idsOf(crates))).map(asVersion);
  const byCrate = new Map(versions.map((version) => [version.crate, version]));
  return crates.map((crate) => ({
    crate,
    version: present(byCrate.get(crate.name), 'the highest version of a crate'),
  }));
}

/** Returns the number of versions and the last published one, by the ID of the crate. */
function* versionFacts(
  crates: readonly Crate[],
): Work<ReadonlyMap<number, Pick<CrateDetails, 'versionCount' | 'newestVersion'>>> {
  const sql = `SELECT counted.crate_id, counted.total, newest.version AS newest FROM
    (SELECT crate_id, count(*) AS total, max(CASE WHEN is_yanked = 0 THEN id END) AS newest_id
      FROM versions WHERE crate_id IN (${placeholders(crates)}) GROUP BY crate_id) AS counted
    LEFT JOIN versions AS newest ON newest.id = counted.newest_id`;
  const rows = yield* all(sql, ...idsOf(crates));
  return new Map(
    rows.map((row) => [
      integer(row, 'crate_id'),
      { versionCount: integer(row, 'total'), newestVersion: optionalText(row, 'newest') },
    ]),
  );
}

/** Returns the highest version that is neither yanked nor a pre-release, by the ID of the crate. */
function* maxStableVersions(shown: readonly ShownVersion[]): Work<ReadonlyMap<number, string>> {
  const maxStable = new Map<number, string>();
  for (const { crate, version } of shown) {
    if (!version.isYanked && parseVersion(version.version).pre === '')
      maxStable.set(crate.id, version.version);
  }
  // Only of the other crates, which are few, all versions are read: SQL cannot sort versions.
  const others = shown.map(({ crate }) => crate).filter(({ id }) => !maxStable.has(id));
  if (others.length === 0) return maxStable;
  const sql = `SELECT crate_id, version FROM versions
    WHERE is_yanked = 0 AND version_without_build NOT LIKE '%-%' AND crate_id IN (${placeholders(others)})`;
  for (const row of yield* all(sql, ...idsOf(others))) {
    const [crateId, version] = [integer(row, 'crate_id'), text(row, 'version')];
    const highest = maxStable.get(crateId);
    if (highest === undefined || isHigher(version, highest)) maxStable.set(crateId, version);
  }
  return maxStable;
}

function isHigher(version: string, other: string): boolean {
  return compareVersions(parseVersion(version), parseVersion(other)) > 0;
}

function idsOf(crates: readonly Crate[]): readonly number[] {
  return crates.map(({ id }) => id);
}
