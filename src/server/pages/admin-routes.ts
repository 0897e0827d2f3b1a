/** `/admin`: overview, audit trail, and permanent deletion of crates and versions. */
import { Hono } from 'hono';
import { deleteForGood } from '../admin/delete-for-good.ts';
import type { HttpContext, HttpEnv } from '../http/http-env.ts';
import { AUDIT_ACTIONS, type Crate } from '../store/values.ts';
import {
  adminCratesPage,
  adminOverviewPage,
  auditPage,
  deletionPage,
  type DeletionView,
} from './admin-pages.ts';
import { noSuchCrate } from './error-page.ts';
import { readPart } from './paging.ts';
import { cratePath } from './paths.ts';
import { PageError, type PageServices, type UserPageRequest, type PageHandlers } from './page-handlers.ts';

const RECENT_ENTRIES = 10;
const ENTRIES_PER_PAGE = 100;
const CRATES_PER_PAGE = 50;
const DEPENDENTS_SHOWN = 10;
const MAX_REASON_CHARS = 500;

/** Returns the routes of `/admin`, except those for users and publishers. */
export function adminRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records } = context;

  /** Finds the crate and version. Throws `PageError` if one does not exist. */
  async function find(c: HttpContext): Promise<Pick<DeletionView, 'crate' | 'version'>> {
    const name = c.req.param('name') ?? '';
    const version = c.req.param('version') ?? null;
    const crate: Crate | null = await records.findCrate(name);
    if (crate === null) throw new PageError(noSuchCrate(name, null));
    if (version !== null && (await records.findVersion(crate.name, version)) === null) {
      throw new PageError(noSuchCrate(name, version));
    }
    return { crate, version };
  }

  async function ask(
    visit: UserPageRequest,
    filled: Pick<DeletionView, 'reason' | 'mayReuse' | 'note'>,
  ): Promise<Response> {
    const target = await find(visit.c);
    const [versions, dependents] = await Promise.all([
      records.listVersions(target.crate.name, { limit: 0, offset: 0 }),
      records.listDependents(target.crate.name, { limit: DEPENDENTS_SHOWN, offset: 0 }),
    ]);
    const page = deletionPage(visit.frame, {
      ...target,
      ...filled,
      ...{ versionCount: versions.total, dependents },
    });
    return visit.show(page, filled.note === null ? 200 : 422);
  }

  const askToDelete = handlers.admin((visit) => ask(visit, { reason: '', mayReuse: false, note: null }));

  const doDelete = handlers.adminForm(async (visit, form) => {
    const { crate, version } = await find(visit.c);
    const reason = (form.get('reason') ?? '').trim().slice(0, MAX_REASON_CHARS);
    const mayReuse = form.has('reuse');
    const what = version === null ? crate.name : `${crate.name}@${version}`;
    if ((form.get('confirm') ?? '').trim() !== what) {
      const text = `Nothing was deleted: the text you typed does not match ${what}.`;
      return ask(visit, { reason, mayReuse, note: { kind: 'bad', text } });
    }
    const deletion = { crate: crate.name, version, actor: visit.actor, reason, mayReuse };
    await deleteForGood({ ...context, records: visit.records }, deletion);
    return version === null
      ? visit.goTo('/admin/crates?done=deleted')
      : visit.goTo(`${cratePath(crate.name)}/versions`);
  });

  return new Hono<HttpEnv>()
    .get(
      '/admin',
      handlers.admin(async ({ frame, show }) => {
        const [counts, recent] = await Promise.all([
          records.count(),
          records.listAudit({}, { limit: RECENT_ENTRIES, offset: 0 }),
        ]);
        return show(adminOverviewPage(frame, { counts, recent: recent.items }));
      }),
    )
    .get(
      '/admin/crates',
      handlers.admin(async ({ c, frame, show }) => {
        const query = (c.req.query('q') ?? '').trim().slice(0, 200);
        const { list, ...part } = await readPart(c, CRATES_PER_PAGE, (request) =>
          records.searchCrates(query, request),
        );
        const isDeleted = c.req.query('done') === 'deleted';
        const note = isDeleted ? ({ kind: 'good', text: 'The crate was deleted.' } as const) : null;
        return show(adminCratesPage(frame, { query, crates: list, ...part, note }));
      }),
    )
    .get('/admin/crates/:name/delete', askToDelete)
    .post('/admin/crates/:name/delete', doDelete)
    .get('/admin/crates/:name/:version/delete', askToDelete)
    .post('/admin/crates/:name/:version/delete', doDelete)
    .get(
      '/admin/audit',
      handlers.admin(async ({ c, frame, show }) => {
        const crate = (c.req.query('crate') ?? '').trim();
        const actor = (c.req.query('actor') ?? '').trim();
        const action = AUDIT_ACTIONS.find((known) => known === c.req.query('action')) ?? null;
        const filter = {
          ...(crate === '' ? {} : { crate }),
          ...(actor === '' ? {} : { actor }),
          ...(action === null ? {} : { action }),
        };
        const { list, ...part } = await readPart(c, ENTRIES_PER_PAGE, (request) =>
          records.listAudit(filter, request),
        );
        return show(auditPage(frame, { entries: list, ...part, crate, actor, action }));
      }),
    );
}
