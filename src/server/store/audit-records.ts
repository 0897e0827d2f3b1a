/** Records of the audit trail. */
import type { NewAuditEntry, PageRequest, Page, AuditEntry, AuditAction } from './values.ts';

/** The audit trail. The rules of `Records` apply. */
export interface AuditRecords {
  /**
   * Adds an entry in a transaction of its own. A crash between a change and this call loses the entry, so changes of
   * crates add their entries in their own transaction instead.
   */
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Lists entries, newest first. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}

/** A filter for the audit trail. Given fields match exactly, unlike other lookups; absent ones match every entry. */
export interface AuditFilter {
  readonly crate?: string;
  readonly actor?: string;
  readonly action?: AuditAction;
}
