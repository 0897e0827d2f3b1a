import type { NewAuditEntry } from '../store/values.ts';
import { asAuditEntry } from './audit-rows.ts';
import { searchAudit } from './audit-search.ts';
import { total } from './row.ts';
import { all, change, one, type SqlDatabase, type Work } from './sql-work.ts';
import type { AuditFilter, AuditRecords } from '../store/audit-records.ts';

/** Adds an entry, in the transaction of the change that it describes. */
export function* insertAudit(entry: NewAuditEntry): Work<void> {
  yield* change(
    `INSERT INTO audit (at, actor, token_id, action, crate, version, subject, detail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    entry.atMs,
    entry.actor,
    entry.tokenId ?? null,
    entry.action,
    entry.crate ?? null,
    entry.version ?? null,
    entry.subject ?? null,
    entry.detail ?? null,
  );
}

/** Implements the record methods for the audit trail. */
export function auditRecords(database: SqlDatabase): AuditRecords {
  return {
    async addAudit(entry) {
      await database.write(() => insertAudit(entry));
    },
    async listAudit(filter, { limit, offset }) {
      const { where, values } = whereClause(filter);
      return await database.readMoment(function* () {
        const rows = yield* all(
          `SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
          ...values,
          limit,
          offset,
        );
        return {
          items: rows.map(asAuditEntry),
          total: total(yield* one(`SELECT count(*) AS total FROM audit ${where}`, ...values)),
        };
      });
    },
    async searchAudit(search) {
      return await database.readMoment(() => searchAudit(search));
    },
  };
}

/** Returns the condition for a filter, and its values. The fields of a filter have the names of their columns. */
function whereClause({ crate, actor, action }: AuditFilter): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const conditions = Object.entries({ crate, actor, action }).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, value }],
  );
  if (conditions.length === 0) return { where: '', values: [] };
  return {
    where: `WHERE ${conditions.map(({ column }) => `${column} = ?`).join(' AND ')}`,
    values: conditions.map(({ value }) => value),
  };
}
