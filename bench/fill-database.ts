/** Fills a PostgreSQL database with a registry of the size of crates.io. The rows are generated and copied in. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createHash } from 'node:crypto';
import { canonicalName } from '../src/server/store/canonical-name.ts';
import { searchTexts } from '../src/server/records/crate-rows.ts';
import { connector, type PostgresConnection } from '../src/server/records/postgres-connection.ts';
import { migrateDatabase } from '../src/server/records/postgres-records.ts';

/** The size of the registry. */
export interface FillOptions {
  readonly crates: number;
  readonly versions: number;
}

const PUBLISHED_AT = Date.UTC(2024, 0, 1);
/** Words of names and descriptions. Combined, they are as selective as those of real crates. */
const WORDS =
  'async net json http parse macro derive serde core util math graph crypto hash tree queue log time tokio web'.split(
    ' ',
  );

/** Returns the name of a crate by its number. */
export function crateName(number: number): string {
  const [first, second] = [WORDS[number % WORDS.length], WORDS[Math.floor(number / 7) % WORDS.length]];
  return `${first}-${second}-${number.toString(36)}`;
}

/** Returns the number of versions of a crate. One crate in a hundred has 25 times as many as the others. */
function versionsOf(number: number, { crates, versions }: FillOptions): number {
  const average = versions / crates;
  return number % 100 === 0 ? Math.round(average * 20) : Math.max(1, Math.round(average * 0.8));
}

/** Creates the tables and fills them. The database must be empty. */
export async function fillDatabase(url: string, options: FillOptions): Promise<void> {
  await migrateDatabase(url);
  const connection = (await connector(url))({ hasNoTimeouts: true });
  try {
    await connection.exec(
      "INSERT INTO users (login, login_key, is_admin, is_disabled, created_at) VALUES ('bench', 'bench', 0, 0, 1)",
    );
    await connection.exec('ALTER TABLE index_files DISABLE TRIGGER USER');
    await copy(
      connection,
      'crates (id, name, canonical_name, max_version, description, keywords, downloads, created_at, updated_at)',
      crateRows(options),
    );
    await copy(connection, 'crate_search (rowid, name, everything)', searchRows(options));
    await copy(connection, 'owners (crate_id, user_id, added_at)', ownerRows(options));
    await copy(
      connection,
      'versions (crate_id, version, version_without_build, checksum, size, blob_key, index_line, is_yanked, downloads, published_at, published_by, metadata)',
      versionRows(options),
    );
    await copy(
      connection,
      'dependencies (version_id, canonical_name, version_req, kind, is_optional)',
      dependencyRows(options),
    );
    await connection.exec(`INSERT INTO index_files (crate_id, lower_case_name, body, etag, changed_at)
      SELECT crates.id, lower(crates.name), lines.body, '"' || md5(lines.body) || '"', crates.updated_at FROM crates
      JOIN (SELECT crate_id, string_agg(index_line || chr(10), '' ORDER BY id) AS body FROM versions GROUP BY crate_id)
      AS lines ON lines.crate_id = crates.id`);
    await connection.exec('ALTER TABLE index_files ENABLE TRIGGER USER');
    await connection.query("SELECT setval(pg_get_serial_sequence('crates', 'id'), $1)", [options.crates]);
    await connection.exec('SELECT rank_crates()');
    await connection.exec('VACUUM ANALYZE');
  } finally {
    await connection.end();
  }
}

type Row = readonly (string | number | null)[];

async function copy(connection: PostgresConnection, target: string, rows: Iterable<Row>): Promise<void> {
  const stream: Writable = await connection.copyIn(`COPY ${target} FROM STDIN`);
  let part = '';
  for (const row of rows) {
    part += `${row.map((value) => value ?? '\\N').join('\t')}\n`;
    if (part.length < 1 << 16) continue;
    if (!stream.write(part)) await once(stream, 'drain');
    part = '';
  }
  stream.end(part);
  await once(stream, 'finish');
}

function description(number: number): string {
  const word = (step: number): string | undefined => WORDS[Math.floor(number / step) % WORDS.length];
  return `A ${word(3)} library for ${word(11)} and ${word(17)}, number ${number}`;
}

function* crateRows(options: FillOptions): Generator<Row> {
  for (let number = 1; number <= options.crates; number += 1) {
    const name = crateName(number);
    const max = `1.${versionsOf(number, options) - 1}.0`;
    const downloads = Math.floor(1e9 / number);
    yield [
      number,
      name,
      canonicalName(name),
      max,
      description(number),
      '["bench"]',
      downloads,
      PUBLISHED_AT,
      PUBLISHED_AT + number,
    ];
  }
}

function* searchRows({ crates }: FillOptions): Generator<Row> {
  for (let number = 1; number <= crates; number += 1) {
    const crate = { name: crateName(number), description: description(number), keywords: ['bench'] };
    const { name, everything } = searchTexts(crate);
    yield [number, name, everything.replaceAll('\n', '\\n')];
  }
}

function* ownerRows({ crates }: FillOptions): Generator<Row> {
  for (let number = 1; number <= crates; number += 1) yield [number, 1, PUBLISHED_AT];
}

function* versionRows(options: FillOptions): Generator<Row> {
  for (let number = 1; number <= options.crates; number += 1) {
    const name = crateName(number);
    for (let minor = 0; minor < versionsOf(number, options); minor += 1) {
      const version = `1.${minor}.0`;
      const checksum = createHash('sha256').update(`${name} ${version}`).digest('hex');
      const deps = dependenciesOf(number, options).map((on) => ({
        ...{
          name: crateName(on),
          req: '^1',
          features: [],
          optional: false,
          default_features: true,
          target: null,
          kind: 'normal',
        },
      }));
      const line = JSON.stringify({
        name,
        vers: version,
        deps,
        cksum: checksum,
        features: {},
        yanked: false,
      });
      const metadata = JSON.stringify({
        name,
        vers: version,
        description: description(number),
        keywords: ['bench'],
      });
      yield [
        number,
        version,
        version,
        checksum,
        12_000,
        `${checksum}-bench`,
        line,
        0,
        1,
        PUBLISHED_AT,
        1,
        metadata,
      ];
    }
  }
}

/** Returns the numbers of three dependencies. One is among the first five crates, which are as popular as `serde`. */
function dependenciesOf(number: number, { crates }: FillOptions): readonly number[] {
  return [1 + (number % 5), 1 + ((number * 31) % crates), 1 + ((number * 17) % crates)];
}

function* dependencyRows(options: FillOptions): Generator<Row> {
  let id = 0;
  for (let number = 1; number <= options.crates; number += 1) {
    const names = dependenciesOf(number, options).map((on) => canonicalName(crateName(on)));
    for (let minor = 0; minor < versionsOf(number, options); minor += 1) {
      id += 1;
      for (const name of names) yield [id, name, '^1', 'normal', 0];
    }
  }
}
