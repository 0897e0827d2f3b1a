import { canonicalName } from '../store/canonical-name.ts';
import type {
  ReservedName,
  ReservedNameChange,
  ReservedNameRecords,
} from '../store/reserved-name-records.ts';
import { insertAudit } from './audit-records.ts';
import { integer, optionalText, text } from './row.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/**
 * Returns the condition that a canonical name, given as SQL, is reserved. Reserved names are in the table `own_names`.
 */
export function isReservedName(name: string): string {
  return `EXISTS (SELECT 1 FROM own_names WHERE pattern = ${name} OR (pattern LIKE '%*'
    AND substr(pattern, 1, length(pattern) - 1) = substr(${name}, 1, length(pattern) - 1)))`;
}

const IS_RESERVED = isReservedName('?1');

/** Implements the record methods for reserved names. */
export function reservedNameRecords(database: SqlDatabase): ReservedNameRecords {
  return {
    async isLocalName(name) {
      const sql = `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM crates WHERE canonical_name = ?1) OR ${IS_RESERVED}`;
      return (await database.read(() => one(sql, canonicalName(name)))) !== null;
    },
    async isReserved(name) {
      const sql = `SELECT 1 AS found WHERE ${IS_RESERVED}`;
      return (await database.read(() => one(sql, canonicalName(name)))) !== null;
    },
    async listReservedNames() {
      return (await database.read(() => all('SELECT * FROM own_names ORDER BY pattern'))).map(asReservedName);
    },
    async addReservedName(nameChange) {
      return await database.write(function* () {
        if (!(yield* reserveName(nameChange))) return false;
        yield* audit('add-own-name', nameChange);
        return true;
      });
    },
    async removeReservedName(nameChange) {
      return await database.write(function* () {
        const sql = 'DELETE FROM own_names WHERE pattern = ?';
        if ((yield* change(sql, canonicalName(nameChange.pattern))) === 0) return false;
        yield* audit('remove-own-name', nameChange);
        return true;
      });
    },
  };
}

/** Reserves a name. Returns false if it is already reserved. */
export function* reserveName({ pattern, reason, atMs }: ReservedNameChange): Work<boolean> {
  const sql = 'INSERT INTO own_names VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  return (yield* change(sql, canonicalName(pattern), reason, atMs)) > 0;
}

function* audit(
  action: 'add-own-name' | 'remove-own-name',
  { pattern, reason, atMs, actor }: ReservedNameChange,
): Work<void> {
  yield* insertAudit({
    atMs,
    actor: actor ?? null,
    action,
    crate: canonicalName(pattern),
    detail: reason,
  });
}

function asReservedName(row: SqlRow): ReservedName {
  return {
    pattern: text(row, 'pattern'),
    reason: optionalText(row, 'reason'),
    addedAtMs: integer(row, 'added_at'),
  };
}
