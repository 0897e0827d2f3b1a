/** Brings a database to the form of records that this program knows. */
import { TsregError } from '../../errors/error.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { isForbidden } from './postgres-errors.ts';
import { POSTGRES_STEPS, type PostgresStep } from './postgres-schema.ts';
import { integer, text } from './row.ts';

/** The newest form, which this program reads and writes. */
const NEWEST = POSTGRES_STEPS.at(-1)?.version ?? 0;

const MAKE_FORM = 'CREATE TABLE registry_form (version BIGINT NOT NULL, usable_from BIGINT NOT NULL);\n';
/**
 * Whoever migrates holds it until the end of the transaction, which may take minutes: it is waited for without a limit,
 * and tables only as long as usual, since whoever reads those waits behind.
 */
const LOCK = `SET LOCAL lock_timeout = 0;
  SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '.registry_form', 1));
  SET LOCAL lock_timeout TO DEFAULT`;

const HINT_NEWER = 'update tsreg: a newer version has changed the schema of the records';

/** Every table of the newest form. */
const TABLES = POSTGRES_STEPS.flatMap(({ sql }) =>
  [...sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, name = '']) => name),
);
const FIRST_MISSING = `SELECT name FROM unnest(CAST(string_to_array('${TABLES.join(' ')}', ' ') AS TEXT[])) AS name
  WHERE to_regclass(name) IS NULL LIMIT 1`;

/** The form that records have, 0 without any, and the lowest form that a program must know to use it. */
interface Form {
  readonly version: number;
  readonly usableFrom: number;
}

/** The form that records have; 0 for an empty database. */
export async function readPostgresForm(connection: PostgresConnection): Promise<number> {
  return (await readForm(connection)).version;
}

/**
 * The statements that lead to the newest form, as they would be run; empty where it is the newest. Throws as
 * `checkPostgresForm` does.
 */
export async function planMigration(connection: PostgresConnection): Promise<readonly string[]> {
  const form = await readForm(connection);
  requireUsable(form);
  const steps = POSTGRES_STEPS.filter(({ version }) => version > form.version);
  if (steps.length === 0) await checkPostgresForm(connection);
  return steps.map((step) => textOf(step, form));
}

/** Throws `config` where records have a form that this program is too old for, or lack a table of their form. */
export async function checkPostgresForm(connection: PostgresConnection): Promise<void> {
  const form = await readForm(connection);
  requireUsable(form);
  const [missing] = (await connection.query(FIRST_MISSING)).rows;
  if (missing === undefined) return;
  throw new TsregError(
    `the database has no table \`${text(missing, 'name')}\`, which the registry's records of form ${form.version} have`,
    {
      code: 'config',
      hint: 'put back a dump of the database, or `tsreg serve restore` a backup into an empty one',
    },
  );
}

/**
 * Throws `config` where records have a newer form than this program knows: it may use them, but a copy that it made
 * would lack what is new.
 */
export async function requireCopyableForm(connection: PostgresConnection): Promise<void> {
  const { version } = await readForm(connection);
  if (version <= NEWEST) return;
  throw new TsregError(
    `the registry's records have the form ${version}; this program knows forms up to ${NEWEST}, and would copy less than there is`,
    { code: 'config', hint: HINT_NEWER },
  );
}

function requireUsable({ version, usableFrom }: Form): void {
  if (usableFrom <= NEWEST) return;
  throw new TsregError(
    `the registry's records have the form ${version}, which takes a program that knows form ${usableFrom}; this one knows forms up to ${NEWEST}`,
    {
      code: 'config',
      hint: HINT_NEWER,
    },
  );
}

/**
 * Runs what is planned, step by step, each all or nothing; of several programs one, while the others wait. Throws as
 * `planMigration` does.
 */
export async function migratePostgres(connection: PostgresConnection): Promise<void> {
  let rest = (await planMigration(connection)).length;
  if (rest > 0) await requireUtf8(connection);
  // Every form is whole by itself, and what one step has locked is free before the next.
  while (rest > 0) rest = await takeStep(connection);
}

/** Returns how many steps are left. */
async function takeStep(connection: PostgresConnection): Promise<number> {
  await connection.exec('BEGIN');
  try {
    await connection.exec(LOCK);
    // Planned again: another program may have been faster.
    const [sql, ...later] = await planMigration(connection);
    if (sql !== undefined) await connection.exec(sql);
    await connection.exec('COMMIT');
    return later.length;
  } catch (error) {
    await connection.exec('ROLLBACK').catch(() => connection.end());
    if (!isForbidden(error)) throw error;
    throw new TsregError(`the user of the database may not make what records need (${error.message})`, {
      code: 'config',
      hint:
        'have the owner of the database run what `serve migrate --dry-run` prints, and give the user SELECT, INSERT, UPDATE ' +
        'and DELETE on all tables, and USAGE, SELECT and UPDATE on all sequences',
    });
  }
}

/** In another encoding some texts could not be stored at all. */
async function requireUtf8(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query("SELECT current_setting('server_encoding') AS encoding");
  const encoding = rows[0] === undefined ? '' : text(rows[0], 'encoding');
  if (encoding === 'UTF8') return;
  throw new TsregError(`the database has the encoding ${encoding}, and records need UTF8`, {
    code: 'config',
    hint: "create another one with `CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`",
  });
}

async function readForm(connection: PostgresConnection): Promise<Form> {
  const { rows } = await connection.query("SELECT to_regclass('registry_form') IS NOT NULL AS there");
  if (rows[0]?.['there'] !== true) return { version: 0, usableFrom: 0 };
  const [row] = (await connection.query('SELECT version, usable_from FROM registry_form')).rows;
  if (row === undefined) throw new TsregError('the table `registry_form` is empty', { code: 'config' });
  return { version: integer(row, 'version'), usableFrom: integer(row, 'usable_from') };
}

function textOf({ version, usableFrom, sql }: PostgresStep, { version: from }: Form): string {
  const isFirst = from === 0 && version === POSTGRES_STEPS[0]?.version;
  const note = isFirst
    ? `${MAKE_FORM}INSERT INTO registry_form VALUES (${version}, ${usableFrom});\n`
    : `UPDATE registry_form SET version = ${version}, usable_from = ${usableFrom};\n`;
  return `-- Form ${version}\n${sql.trim()}\n${note}`;
}
