/** Migrates a database to the schema version of this release. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { isForbidden } from './postgres-errors.ts';
import { POSTGRES_STEPS, type PostgresStep } from './postgres-schema.ts';
import { integer, text } from './row.ts';

/** The newest schema version, which this release reads and writes. */
const NEWEST = Math.max(...POSTGRES_STEPS.map(({ version }) => version));

const CREATE_VERSION_TABLE =
  'CREATE TABLE registry_form (version BIGINT NOT NULL, usable_from BIGINT NOT NULL);\n';
/**
 * Serializes migrations until the end of the transaction, which may take minutes. Waiting for this lock has no time
 * limit. Waiting for tables keeps its usual limit, because readers of a table queue behind it.
 */
const LOCK = `SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.registry_form', 1));
  SET LOCAL lock_timeout TO DEFAULT`;

const HINT_NEWER = 'install a newer release of tsreg';

/** Every table of the newest schema version: no step drops one, and each `CREATE TABLE` begins a line. */
const TABLES = POSTGRES_STEPS.flatMap(({ sql }) =>
  [...sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, name = '']) => name),
);
const FIRST_MISSING = `SELECT name FROM unnest(CAST(string_to_array('${TABLES.join(' ')}', ' ') AS TEXT[])) AS name
  WHERE to_regclass(name) IS NULL LIMIT 1`;

/** A schema version (0 for an empty database), and the lowest version that a release must support to use it. */
interface Schema {
  readonly version: number;
  readonly usableFrom: number;
}

/** Returns the schema version of a database; 0 if it is empty. */
export async function readPostgresSchemaVersion(connection: PostgresConnection): Promise<number> {
  return (await readSchema(connection)).version;
}

/**
 * Returns the statements that migrate to the newest schema version; empty if the database has it. Throws as
 * `checkPostgresSchema` does.
 */
export async function planMigration(connection: PostgresConnection): Promise<readonly string[]> {
  const schema = await readSchema(connection);
  requireUsable(schema);
  const steps = POSTGRES_STEPS.filter(({ version }) => version > schema.version);
  if (steps.length === 0) await checkPostgresSchema(connection);
  return steps.map((step) => statementsOf(step, schema));
}

/** Throws `config` if this release is too old for the schema version, or a table of the schema is missing. */
export async function checkPostgresSchema(connection: PostgresConnection): Promise<void> {
  const schema = await readSchema(connection);
  requireUsable(schema);
  const [missing] = (await connection.query(FIRST_MISSING)).rows;
  if (missing === undefined) return;
  throw new TsregError(
    `the database has no table \`${text(missing, 'name')}\`, which schema version ${schema.version} has`,
    {
      code: 'config',
      hint: 'put back a dump of the database, or `tsreg serve restore` a backup into an empty one',
    },
  );
}

/**
 * Throws `config` if the schema is newer than this release. This release may use the database, but a copy would lack
 * the new tables and columns.
 */
export async function requireCopyableSchema(connection: PostgresConnection): Promise<void> {
  const { version } = await readSchema(connection);
  if (version <= NEWEST) return;
  throw new TsregError(
    `the database has schema version ${version}; this release supports versions up to ${NEWEST}, and its copy would be incomplete`,
    { code: 'config', hint: HINT_NEWER },
  );
}

/** Throws `config` if this release is too old for the schema. */
function requireUsable({ version, usableFrom }: Schema): void {
  if (usableFrom <= NEWEST) return;
  throw new TsregError(
    `the database has schema version ${version}, which needs a release that supports version ${usableFrom}; this one supports versions up to ${NEWEST}`,
    {
      code: 'config',
      hint: HINT_NEWER,
    },
  );
}

/**
 * Migrates to the newest schema version, with one transaction for each step. If several programs migrate, one runs and
 * the others wait. Throws as `planMigration` does, and `config` for insufficient rights or an encoding other than UTF8.
 */
export async function migratePostgres(connection: PostgresConnection): Promise<void> {
  let remaining = (await planMigration(connection)).length;
  if (remaining > 0) await requireUtf8(connection);
  // Each schema version is complete, so the locks of one step are released before the next.
  while (remaining > 0) remaining = await runNextStep(connection);
}

/** Runs the next step. Returns the number of remaining steps. */
async function runNextStep(connection: PostgresConnection): Promise<number> {
  await connection.exec('BEGIN');
  try {
    await connection.exec(LOCK);
    // Planned again, because another program may have run this step.
    const [sql, ...later] = await planMigration(connection);
    if (sql !== undefined) await connection.exec(sql);
    await connection.exec('COMMIT');
    return later.length;
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => connection.end());
    if (!isForbidden(error)) throw error;
    throw new TsregError(
      `the user of the database may not create the tables and functions of the registry (${error.message})`,
      {
        code: 'config',
        hint:
          'run `tsreg serve migrate` with the address of the owner of the database, and grant the user SELECT, INSERT, UPDATE ' +
          'and DELETE on all tables, and USAGE, SELECT and UPDATE on all sequences',
      },
    );
  }
}

/** Throws `config` unless the encoding is UTF8: others cannot store all texts. */
async function requireUtf8(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query("SELECT current_setting('server_encoding') AS encoding");
  const encoding = text(present(rows[0], 'the encoding of the database'), 'encoding');
  if (encoding === 'UTF8') return;
  throw new TsregError(`the database has the encoding ${encoding}; the registry needs UTF8`, {
    code: 'config',
    hint: "create another one with `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`",
  });
}

async function readSchema(connection: PostgresConnection): Promise<Schema> {
  const { rows } = await connection.query("SELECT to_regclass('registry_form') IS NOT NULL AS there");
  if (rows[0]?.['there'] !== true) return { version: 0, usableFrom: 0 };
  const [row] = (await connection.query('SELECT version, usable_from FROM registry_form')).rows;
  if (row === undefined) throw new TsregError('the table `registry_form` is empty', { code: 'config' });
  return { version: integer(row, 'version'), usableFrom: integer(row, 'usable_from') };
}

/** Returns the statements of a step, which also store its version. `from` is the schema before the first step. */
function statementsOf({ version, usableFrom, sql }: PostgresStep, from: Schema): string {
  const isFirst = from.version === 0 && version === POSTGRES_STEPS[0]?.version;
  const storeVersion = isFirst
    ? `${CREATE_VERSION_TABLE}INSERT INTO registry_form VALUES (${version}, ${usableFrom});\n`
    : `UPDATE registry_form SET version = ${version}, usable_from = ${usableFrom};\n`;
  return `-- Schema version ${version}\n${sql.trim()}\n${storeVersion}`;
}
