/** Finds the versions of several crates at once. */
import type { CrateVersions, VersionState } from '../store/browse-records.ts';
import { canonicalName } from '../store/canonical-name.ts';
import { isInJsonList } from './json-list.ts';
import { flag, text } from './row.ts';
import { all, type Work } from './sql-work.ts';

/** Maximum number of versions that are read. */
const MAX_VERSIONS = 20_000;

const IS_WANTED = isInJsonList('crates.canonical_name', '?');
const SELECT_NAMES = { sqlite: selectNames(IS_WANTED.sqlite), postgres: selectNames(IS_WANTED.postgres) };
const SELECT_VERSIONS = {
  sqlite: selectVersions(IS_WANTED.sqlite),
  postgres: selectVersions(IS_WANTED.postgres),
};

function selectNames(condition: string): string {
  return `SELECT canonical_name, name FROM crates WHERE ${condition}`;
}

/** Sorted by crate, so that only the last crate can be incomplete. */
function selectVersions(condition: string): string {
  return `SELECT crates.canonical_name, versions.version, versions.is_yanked
    FROM crates JOIN versions ON versions.crate_id = crates.id WHERE ${condition}
    ORDER BY crates.canonical_name LIMIT ${MAX_VERSIONS + 1}`;
}

/** Returns the versions of crates by canonical name. Of crates after `MAX_VERSIONS`, `versions` is null. */
export function* listVersionsOf(crates: readonly string[]): Work<ReadonlyMap<string, CrateVersions>> {
  const namesJson = JSON.stringify([...new Set(crates.map(canonicalName))]);
  const names = yield* all(SELECT_NAMES, namesJson);
  const rows = yield* all(SELECT_VERSIONS, namesJson);
  const versions = new Map<string, VersionState[]>();
  for (const row of rows) {
    const state = { version: text(row, 'version'), isYanked: flag(row, 'is_yanked') };
    const crate = text(row, 'canonical_name');
    const states = versions.get(crate);
    if (states === undefined) versions.set(crate, [state]);
    else states.push(state);
  }
  const last = rows.at(-1);
  if (rows.length > MAX_VERSIONS && last !== undefined) versions.delete(text(last, 'canonical_name'));
  return new Map(
    names.map((row) => {
      const crate = text(row, 'canonical_name');
      return [crate, { name: text(row, 'name'), versions: versions.get(crate) ?? null }];
    }),
  );
}
