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
  /** Searches the entries, and stops after `maxExamined` of them: `AuditPart` says where to continue. */
  searchAudit(search: AuditSearch): Promise<AuditPart>;
}

/** A filter for the audit trail. Given fields match exactly, unlike other lookups; absent ones match every entry. */
export interface AuditFilter {
  readonly crate?: string;
  readonly actor?: string;
  readonly action?: AuditAction;
}

/** A search in the audit trail. */
export interface AuditSearch {
  readonly filter: AuditFilter;
  /** The earliest time, and the time before which an entry must be; null for no limit. */
  readonly period: { readonly fromMs: number | null; readonly untilMs: number | null };
  /** Where to begin; null for the newest entry. */
  readonly start: AuditStart | null;
  readonly limit: number;
  /** How many entries to examine; more than `limit`. */
  readonly maxExamined: number;
}

/** The entries before or after the one with this ID. */
export interface AuditStart {
  readonly direction: 'older' | 'newer';
  readonly id: number;
}

/** The result of a search. */
export interface AuditPart {
  /** Newest first. */
  readonly items: readonly AuditEntry[];
  /** Where to look for newer and older entries; null if there are none that match. */
  readonly newer: AuditStart | null;
  readonly older: AuditStart | null;
  /** The time of the last entry that was examined, if the search stopped before it had `limit` entries; else null. */
  readonly stoppedAtMs: number | null;
}
