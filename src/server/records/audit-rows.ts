import { AUDIT_ACTIONS, type AuditEntry } from '../store/values.ts';
import { integer, optionalInteger, optionalText, text } from './row.ts';
import type { SqlRow } from './sql-work.ts';

/** Returns the entry in a row of the table `audit`. */
export function asAuditEntry(row: SqlRow): AuditEntry {
  const action = text(row, 'action');
  return {
    id: integer(row, 'id'),
    atMs: integer(row, 'at'),
    actor: optionalText(row, 'actor'),
    tokenId: optionalInteger(row, 'token_id'),
    // An unknown action of a newer release is shown as some change.
    action: AUDIT_ACTIONS.find((known) => known === action) ?? 'change-user',
    crate: optionalText(row, 'crate'),
    version: optionalText(row, 'version'),
    subject: optionalText(row, 'subject'),
    detail: optionalText(row, 'detail'),
  };
}
