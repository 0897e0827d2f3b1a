/**
 * A seal on the records: triggers that refuse every change that must not be lost, whichever process or older program
 * makes it. What is only counted (downloads, sessions, last uses of tokens) goes on. Making a trigger waits for the
 * transactions that are under way, so that what is read afterwards is all there ever will be.
 */
import { TsregError } from '../../errors/error.ts';

/** What the triggers refuse with. */
const REFUSAL = 'the records take no changes';

/** Changes that are refused, by table. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
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

/** What is answered to whoever wants to change sealed records. */
export class SealedRecords extends TsregError {
  constructor() {
    super('the registry is read-only here: it is being moved, or has been moved, to another place', {
      code: 'config',
    });
  }
}

/** The error for whoever asked, where this one comes from a seal; else null. */
export function asSealed(error: unknown): SealedRecords | null {
  return error instanceof Error && error.message.includes(REFUSAL) ? new SealedRecords() : null;
}

const SQLITE_TRIGGERS = Object.entries(REFUSED).flatMap(([table, changes]) =>
  changes.map((change) => ({ table, change, name: `sealed_${table}_${change.split(' ', 1)[0]}` })),
);

/** What seals records in SQLite: statements of one transaction, and a question that has a row where there is a seal. */
export const SQLITE_SEAL = {
  seal: SQLITE_TRIGGERS.map(
    ({ name, table, change }) =>
      `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${change} ON ${table}
       BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
  ),
  unseal: SQLITE_TRIGGERS.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
  find: "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'sealed_audit_INSERT'",
} as const;

/**
 * The same in PostgreSQL, table by table, each in a transaction of its own: one that waited for several tables and those
 * who write to them would wait for each other. No transaction that writes to a sealed table ends well, so nothing is
 * left by halves; and only when the last one is sealed, all are.
 */
export const POSTGRES_SEAL = {
  /** Comes before all. */
  prepare: `CREATE OR REPLACE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      IF current_setting(''tsreg.loads'', true) = ''on'' THEN RETURN COALESCE(NEW, OLD); END IF;
      RAISE EXCEPTION ''${REFUSAL}'' USING ERRCODE = ''TS001'';
    END'`,
  tables: Object.entries(REFUSED).map(([table, changes]) => ({
    find: findPostgres(table),
    seal: `CREATE TRIGGER sealed_${table} BEFORE ${changes.join(' OR ')} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION refuse_sealed()`,
    unseal: `DROP TRIGGER IF EXISTS sealed_${table} ON ${table}`,
  })),
  find: findPostgres('audit'),
  /** For a transaction that replaces everything: the seal does not hold it up. */
  passBy: "SET LOCAL tsreg.loads = 'on'",
} as const;

function findPostgres(table: string): string {
  return `SELECT 1 FROM pg_trigger WHERE tgname = 'sealed_${table}' AND tgrelid = to_regclass('${table}')`;
}
