/** `/admin/audit`: who did what. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { AuditFilter, AuditPart } from '../../store/audit-records.ts';
import {
  type AuditForm,
  type AuditPeriod,
  type AuditProblem,
  parsePeriod,
  readAuditForm,
  readAuditStart,
} from './audit-form.ts';
import { auditPage } from './audit-page.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';

const ENTRIES_PER_PAGE = 50;
/** Few enough that the search takes some hundredths of a second. */
const MAX_EXAMINED = 10_000;
const NO_ENTRIES: AuditPart = { items: [], newer: null, older: null, stoppedAtMs: null };

/** Returns the route of the audit trail. */
export function auditRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records } = context;
  return new Hono<HttpEnv>().get(
    '/admin/audit',
    handlers.admin((request) => showAudit(request, records)),
  );
}

async function showAudit(
  { c, frame, show }: UserPageRequest,
  records: ServerContext['records'],
): Promise<Response> {
  const form = readAuditForm(c);
  const period = parsePeriod(form);
  const problem: AuditProblem | null = 'field' in period ? period : null;
  const part = 'field' in period ? NO_ENTRIES : await search(records, { c, form, period });
  const page = auditPage(frame, { form, problem, part, maxExamined: MAX_EXAMINED });
  return show(page, problem === null ? 200 : 422);
}

/** Reads the part of the trail that the form and the query select. */
async function search(
  records: ServerContext['records'],
  {
    c,
    form,
    period,
  }: { readonly c: UserPageRequest['c']; readonly form: AuditForm; readonly period: AuditPeriod },
): Promise<AuditPart> {
  const filter = await filterOf(records, form);
  const query = { filter, period, limit: ENTRIES_PER_PAGE, maxExamined: MAX_EXAMINED };
  const start = readAuditStart(c);
  const part = await records.searchAudit({ ...query, start });
  // The newest entries may be fewer than a page. Then the first page is shown instead, which is full.
  if (start?.direction !== 'newer' || part.newer !== null) return part;
  return await records.searchAudit({ ...query, start: null });
}

/** Returns the filter of a form, with the stored spelling of its names, because entries have only that. */
async function filterOf(
  records: ServerContext['records'],
  { actor, crate, action }: AuditForm,
): Promise<AuditFilter> {
  const [user, knownCrate] = await Promise.all([
    actor === '' ? null : records.findUser(actor),
    crate === '' ? null : records.findCrate(crate),
  ]);
  return {
    ...(actor === '' ? {} : { actor: user?.login ?? actor }),
    ...(crate === '' ? {} : { crate: knownCrate?.name ?? crate }),
    ...(action === null ? {} : { action }),
  };
}
