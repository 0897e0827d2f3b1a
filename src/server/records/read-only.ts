/**
 * Makes records read-only: triggers reject every change that must not be lost, from any process of any release.
 * Mere counts (downloads, sessions, last uses of tokens) continue. Creating a trigger waits for running transactions,
 * so that later reads see all changes there will ever be.
 */
import { TsregError } from '../../core/errors/error.ts';

/** The error message of the triggers. */
const TRIGGER_MESSAGE = 'the records take no changes';

/**
 * Rejected changes, by table. Other changes that must not be lost (such as of `deleted_names`) add an audit entry in their
 * transaction, which is then rejected.
 */
const REJECTED_CHANGES: Readonly<Record<string, readonly string[]>> = {
  users: ['INSERT', 'UPDATE', 'DELETE'],
  tokens: ['INSERT', 'UPDATE OF revoked_at', 'DELETE'],
  publishers: ['INSERT', 'DELETE'],
  crates: ['INSERT', 'DELETE'],
  index_files: ['INSERT', 'UPDATE', 'DELETE'],
  versions: ['INSERT', 'DELETE'],
  owners: ['INSERT', 'DELETE'],
  own_names: ['INSERT', 'DELETE'],
  audit: ['INSERT'],
};

/** The error of a change to read-only records. */
export class ReadOnlyRecords extends TsregError {
  constructor() {
    super('the registry is read-only here: it is being moved, or has been moved, to another place', {
      code: 'config',
    });
  }
}

/** Returns the error to throw if `error` comes from one of the triggers; otherwise null. */
export function asReadOnly(error: unknown): ReadOnlyRecords | null {
  return error instanceof Error && error.message.includes(TRIGGER_MESSAGE) ? new ReadOnlyRecords() : null;
}

/**
 * Existing registries have these triggers, so neither their names nor their SQL, which `requireKnownSchema` compares, ever
 * change. The names of PostgreSQL's do not change either.
 */
const SQLITE_TRIGGERS = Object.entries(REJECTED_CHANGES).flatMap(([table, changes]) =>
  changes.map((change) => ({ table, change, name: `sealed_${table}_${change.split(' ', 1)[0]}` })),
);

/**
 * SQLite's statements: `setReadOnly` and `setWritable` for one transaction each; `find` has a row if records are
 * read-only.
 */
export const SQLITE_READ_ONLY = {
  setReadOnly: SQLITE_TRIGGERS.map(
    ({ name, table, change }) =>
      `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${change} ON ${table}
       BEGIN SELECT RAISE(ABORT, '${TRIGGER_MESSAGE}'); END`,
  ),
  setWritable: SQLITE_TRIGGERS.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
  find: "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'sealed_audit_INSERT'",
} as const;

/**
 * PostgreSQL's statements, with a separate transaction for each table: one transaction for all tables could deadlock
 * with writers. A writer that touches a read-only table fails as a whole, so no partial change remains. The records
 * count as read-only once the last table, `audit`, is.
 */
export const POSTGRES_READ_ONLY = {
  /** Creates the function of the triggers. Runs before all others. */
  prepare: `CREATE OR REPLACE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF current_setting(''tsreg.loads'', true) = ''on'' THEN RETURN COALESCE(NEW, OLD); END IF;
      RAISE EXCEPTION ''${TRIGGER_MESSAGE}'' USING ERRCODE = ''TS001'';
    END'`,
  /** For each table, with `find` as below. */
  tables: Object.entries(REJECTED_CHANGES).map(([table, changes]) => ({
    find: findTrigger(table),
    setReadOnly: `CREATE TRIGGER sealed_${table} BEFORE ${changes.join(' OR ')} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_sealed()`,
    setWritable: `DROP TRIGGER IF EXISTS sealed_${table} ON ${table}`,
  })),
  /** Has a row if the records are read-only. */
  find: findTrigger('audit'),
  /** Exempts a transaction that replaces all records. */
  exempt: "SET LOCAL tsreg.loads = 'on'",
} as const;

function findTrigger(table: string): string {
  return `SELECT 1 FROM pg_trigger WHERE tgname = 'sealed_${table}' AND tgrelid = to_regclass('${table}')`;
}
