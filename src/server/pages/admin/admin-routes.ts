/** `/admin`: overview, and permanent deletion of crates and versions. */
import { Hono } from 'hono';
import { deletePermanently } from '../../admin/delete-permanently.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { AdminOverview } from './admin-overview.ts';
import {
  adminCratesPage,
  confirmationOf,
  deletionPage,
  type DeletionForm,
  type DeletionTarget,
  MAX_REASON_CHARS,
} from './admin-pages.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import { MAX_QUERY_CHARS } from '../shared/layout.ts';
import { readPart } from '../shared/paging.ts';
import { cratePath } from '../shared/paths.ts';
import {
  PageError,
  type PageServices,
  type UserPageRequest,
  type PageHandlers,
} from '../services/page-handlers.ts';

const CRATES_PER_PAGE = 50;
const DEPENDENTS_SHOWN = 10;

/** Returns the routes of `/admin` itself, and of `/admin/crates`. */
export function adminRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const pages = new AdminPages(services.context);
  const overview = new AdminOverview(services);
  const askToDelete = handlers.admin((request) =>
    pages.askToDelete(request, { reason: '', mayReuseVersions: false, note: null }),
  );
  const doDelete = handlers.adminForm((request, form) => pages.delete(request, form));
  return new Hono<HttpEnv>()
    .get(
      '/admin',
      handlers.admin((request) => overview.show(request)),
    )
    .get(
      '/admin/crates',
      handlers.admin((request) => pages.showCrates(request)),
    )
    .get('/admin/crates/:name/delete', askToDelete)
    .post('/admin/crates/:name/delete', doDelete)
    .get('/admin/crates/:name/:version/delete', askToDelete)
    .post('/admin/crates/:name/:version/delete', doDelete);
}

class AdminPages {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async showCrates({ c, frame, show }: UserPageRequest): Promise<Response> {
    const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_CHARS);
    const { list, ...part } = await readPart(c, CRATES_PER_PAGE, (page) =>
      this.#context.records.searchCrates(query, page),
    );
    const isDeleted = c.req.query('done') === 'deleted';
    const note = isDeleted ? ({ kind: 'good', text: 'The crate was deleted.' } as const) : null;
    return show(adminCratesPage(frame, { query, crates: list, ...part, note }));
  }

  /** Shows the form that confirms a deletion. A form with a note was refused. */
  async askToDelete({ c, frame, show }: UserPageRequest, form: DeletionForm): Promise<Response> {
    const { records } = this.#context;
    const target = await this.#findTarget(c);
    const [versions, dependents] = await Promise.all([
      records.listVersions(target.crate.name, { limit: 0, offset: 0 }),
      records.listDependents(target.crate.name, { limit: DEPENDENTS_SHOWN, offset: 0 }),
    ]);
    const page = deletionPage(frame, {
      ...target,
      ...form,
      versionCount: versions.total,
      dependents,
    });
    return show(page, form.note === null ? 200 : 422);
  }

  async delete(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const target = await this.#findTarget(request.c);
    const { crate, version } = target;
    const reason = (form.get('reason') ?? '').trim().slice(0, MAX_REASON_CHARS);
    const mayReuseVersions = form.has('reuse');
    const confirmation = confirmationOf(target);
    if ((form.get('confirm') ?? '').trim() !== confirmation) {
      const text = `Nothing was deleted: the text you typed does not match ${confirmation}.`;
      return this.askToDelete(request, { reason, mayReuseVersions, note: { kind: 'bad', text } });
    }
    const { records, actor } = request;
    const deletion = { crate: crate.name, version, actor, reason, mayReuseVersions };
    // The records of the request check again that the user is an admin.
    const outcome = await deletePermanently({ ...this.#context, records }, deletion);
    if (outcome.kind !== 'deleted') throw new PageError(noSuchCrate(crate.name, version));
    // The last version takes the crate with it.
    const isGone = (await records.findCrate(crate.name)) === null;
    return isGone
      ? request.goTo('/admin/crates?done=deleted')
      : request.goTo(`${cratePath(crate.name)}/versions`);
  }

  /** Finds the crate and version in the path. Throws `PageError` if one does not exist. */
  async #findTarget(c: HttpContext): Promise<DeletionTarget> {
    const { records } = this.#context;
    const name = routeParam(c, 'name');
    const version = c.req.param('version') ?? null;
    const crate = await records.findCrate(name);
    if (crate === null) throw new PageError(noSuchCrate(name, null));
    if (version !== null && (await records.findVersion(crate.name, version)) === null) {
      throw new PageError(noSuchCrate(name, version));
    }
    return { crate, version };
  }
}
