/**
 * Checks that a file of records defines only what this program creates. A file from elsewhere, such as a backup, could
 * have checks, triggers, views or generated columns that call functions of SQLite on use.
 */
import { TsregError } from '../../core/errors/error.ts';
import { text } from './row.ts';
import { requireSupportedSchema, SCHEMA_VERSION, STEPS } from './schema.ts';
import { SQLITE_READ_ONLY } from './read-only.ts';
import { openSqlite, type SqliteDatabase } from './sqlite-database.ts';

/** Rows of `sqlite_master`, each encoded as one text. */
interface KnownSchema {
  /** All rows of the newest schema version. */
  readonly newest: ReadonlySet<string>;
  /** Additional allowed rows: triggers for read-only records, and statistics. */
  readonly optional: ReadonlySet<string>;
  /** All rows of older schema versions. */
  readonly older: ReadonlySet<string>;
}

/** Computed once for each process, since it depends only on the release. */
let knownSchema: Promise<KnownSchema> | null = null;

/**
 * Throws `config` if a database has definitions other than this program's, or lacks some in the newest schema version.
 * Runs no expression that the database defines: it reads only `sqlite_master` and the version. Also throws as
 * `requireSupportedSchema` does.
 */
export async function requireKnownSchema(database: SqliteDatabase): Promise<void> {
  const version = requireSupportedSchema(database);
  knownSchema ??= learnSchema();
  const { newest, optional, older } = await knownSchema;
  const isNewest = version === SCHEMA_VERSION;
  const definitions = definitionsOf(database);
  for (const [row, label] of definitions) {
    if (newest.has(row) || optional.has(row) || (!isNewest && older.has(row))) continue;
    throw foreignDefinition(`the ${label} is not as tsreg creates it, or does not belong there`);
  }
  if (isNewest && [...newest].some((row) => !definitions.has(row)))
    throw foreignDefinition('a part is missing');
}

function foreignDefinition(reason: string): TsregError {
  return new TsregError(`another program changed the registry's records: ${reason}`, {
    code: 'config',
    hint: 'undo the changes, or use a backup that nobody else could change',
  });
}

/** Creates every schema version in memory and reads its rows. */
async function learnSchema(): Promise<KnownSchema> {
  const memory = await openSqlite(':memory:', { isShared: false });
  try {
    const older = new Set<string>();
    for (const step of STEPS) {
      memory.exec(step);
      for (const row of definitionsOf(memory).keys()) older.add(row);
    }
    const newest = new Set(definitionsOf(memory).keys());
    for (const statement of SQLITE_READ_ONLY.setReadOnly) memory.exec(statement);
    memory.exec('ANALYZE');
    return { newest, optional: new Set(definitionsOf(memory).keys()), older };
  } finally {
    memory.close();
  }
}

/** Returns everything that a database defines: the label for messages by the row of `sqlite_master` as JSON text. */
function definitionsOf(database: SqliteDatabase): ReadonlyMap<string, string> {
  const rows = database.all("SELECT type, name, tbl_name, coalesce(sql, '') AS sql FROM sqlite_master");
  return new Map(
    rows.map((row) => {
      const type = text(row, 'type');
      const name = text(row, 'name');
      // A file from elsewhere may contain any name.
      const shown = name.replaceAll(/\W/g, '?').slice(0, 64);
      return [JSON.stringify([type, name, text(row, 'tbl_name'), text(row, 'sql')]), `${type} \`${shown}\``];
    }),
  );
}
