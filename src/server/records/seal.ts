/**
 * A seal on the records: triggers that refuse every change that must not be lost, whichever process or older program
 * makes it. What is only counted (downloads, sessions, last uses of tokens) goes on. Making a trigger waits for the
 * transactions that are under way, so that what is read afterwards is all there ever will be.
 */
import { TsregError } from '../../errors/error.ts';
import type { SqlDialect } from './sql-work.ts';

/** What the triggers refuse with. */
const REFUSAL = 'the records are sealed';
/** By which PostgreSQL tells it from its own errors. */
const REFUSAL_CODE = 'TS001';

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
    super('the registry takes no changes here, as it is being moved to another place, or was moved there', {
      code: 'config',
    });
  }
}

/** Statements, each for itself; within one transaction. */
export interface SealStatements {
  readonly seal: readonly string[];
  readonly unseal: readonly string[];
  /** Finds a row if there is a seal. */
  readonly find: string;
}

/** What seals the records of a kind of database. */
export function sealStatements(dialect: SqlDialect): SealStatements {
  return dialect === 'sqlite' ? SQLITE : POSTGRES;
}

/** The error for whoever asked, where this one comes from a seal; else null. */
export function asSealed(error: unknown): SealedRecords | null {
  return error instanceof Error && error.message.includes(REFUSAL) ? new SealedRecords() : null;
}

const SQLITE_TRIGGERS = Object.entries(REFUSED).flatMap(([table, changes]) =>
  changes.map((change) => ({ table, change, name: `sealed_${table}_${change.split(' ', 1)[0]}` })),
);

const SQLITE: SealStatements = {
  seal: SQLITE_TRIGGERS.map(
    ({ name, table, change }) =>
      `CREATE TRIGGER IF NOT EXISTS ${name} BEFORE ${change} ON ${table}
       BEGIN SELECT RAISE(ABORT, '${REFUSAL}'); END`,
  ),
  unseal: SQLITE_TRIGGERS.map(({ name }) => `DROP TRIGGER IF EXISTS ${name}`),
  find: "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'sealed_audit_INSERT'",
};

const POSTGRES: SealStatements = {
  seal: [
    `CREATE OR REPLACE FUNCTION refuse_sealed() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN RAISE EXCEPTION ''${REFUSAL}'' USING ERRCODE = ''${REFUSAL_CODE}''; END'`,
    ...Object.entries(REFUSED).map(
      ([table, changes]) =>
        `CREATE TRIGGER sealed_${table} BEFORE ${changes.join(' OR ')} ON ${table}
         FOR EACH ROW EXECUTE FUNCTION refuse_sealed()`,
    ),
  ],
  unseal: [
    ...Object.keys(REFUSED).map((table) => `DROP TRIGGER IF EXISTS sealed_${table} ON ${table}`),
    'DROP FUNCTION IF EXISTS refuse_sealed()',
  ],
  find: "SELECT 1 FROM pg_trigger WHERE tgname = 'sealed_audit' AND tgrelid = to_regclass('audit')",
};
