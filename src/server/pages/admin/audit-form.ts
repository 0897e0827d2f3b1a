/** The form that filters the audit trail: its values, and their check. */
import type { HttpContext } from '../../http/http-env.ts';
import type { AuditStart } from '../../store/audit-records.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../store/values.ts';

/** The fields of the form. Texts are unchecked, so that they can be shown again; empty for no filter. */
export interface AuditForm {
  readonly actor: string;
  readonly crate: string;
  readonly action: AuditAction | null;
  /** First and last day in UTC, both included: `2026-03-14`. */
  readonly from: string;
  readonly to: string;
}

/** The time from `fromMs` until before `untilMs`; null for no limit. */
export interface AuditPeriod {
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** A problem with the days, as a sentence. */
export interface AuditProblem {
  readonly field: 'from' | 'to';
  readonly text: string;
}

/** Maximum length of a user or crate in the form, which is more than any login or name has. */
export const MAX_TEXT_CHARS = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the form from the query. */
export function readAuditForm({ req }: HttpContext): AuditForm {
  const textOf = (name: string): string => (req.query(name) ?? '').trim().slice(0, MAX_TEXT_CHARS);
  return {
    actor: textOf('actor'),
    crate: textOf('crate'),
    action: AUDIT_ACTIONS.find((known) => known === req.query('action')) ?? null,
    from: textOf('from'),
    to: textOf('to'),
  };
}

/** Returns the place in the trail that the query selects: `?older=ID` or `?newer=ID`; null for the newest entry. */
export function readAuditStart({ req }: HttpContext): AuditStart | null {
  for (const direction of ['older', 'newer'] as const) {
    const id = Number(req.query(direction) ?? Number.NaN);
    if (Number.isSafeInteger(id) && id >= 0) return { direction, id };
  }
  return null;
}

/** Returns true for a day such as `2026-03-14`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const startMs = startOf(text);
  // `Date.parse` reads February 30 as a day in March.
  return !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(text);
}

/** Returns the period from the first to the last day, or the problem with them. */
export function parsePeriod({ from, to }: AuditForm): AuditPeriod | AuditProblem {
  if (from !== '' && !isDay(from)) return wrongDay('from', from);
  if (to !== '' && !isDay(to)) return wrongDay('to', to);
  const fromMs = from === '' ? null : startOf(from);
  const untilMs = to === '' ? null : startOf(to) + DAY_MS;
  if (fromMs !== null && untilMs !== null && untilMs <= fromMs) {
    return { field: 'to', text: 'The last day is before the first one.' };
  }
  return { fromMs, untilMs };
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function wrongDay(field: AuditProblem['field'], text: string): AuditProblem {
  return { field, text: `“${text}” is not a day such as 2026-03-14.` };
}
