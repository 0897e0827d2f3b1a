/** `/crates/…`: the pages of crates and versions. */
import { Hono } from 'hono';
import type { HttpContext, HttpEnv } from '../http/http-env.ts';
import type { Crate } from '../store/values.ts';
import { REGISTRY_NAME, type CrateView } from './crate-frame.ts';
import { dependenciesPage, dependentsPage, featuresPage, readmePage, versionsPage } from './crate-pages.ts';
import { noSuchCrate, OWNERS_ONLY } from './error-page.ts';
import type { Html } from './html.ts';
import type { Frame } from './layout.ts';
import { readPart } from './paging.ts';
import { cratePath } from './paths.ts';
import { Readmes } from './readmes.ts';
import { PageError, type PageServices, type PageHandlers } from './page-handlers.ts';

const VERSIONS_PER_PAGE = 100;
const DEPENDENTS_PER_PAGE = 50;

/** Returns the routes of `/crates/…`. */
export function crateRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, clock } = context;
  const readmes = new Readmes(context);

  async function readCrate(c: HttpContext): Promise<Crate> {
    const name = c.req.param('name') ?? '';
    const crate = await records.findCrate(name);
    if (crate === null) throw new PageError(noSuchCrate(name, null));
    return crate;
  }

  async function find(c: HttpContext, crate: Crate): Promise<CrateView> {
    const chosen = c.req.param('version');
    const [version, versions, owners, dependents] = await Promise.all([
      records.findVersion(crate.name, chosen ?? crate.maxVersion),
      records.listVersions(crate.name, { limit: 0, offset: 0 }),
      records.listOwners(crate.name),
      records.listDependents(crate.name, { limit: 1, offset: 0 }),
    ]);
    if (version === null) throw new PageError(noSuchCrate(crate.name, chosen ?? crate.maxVersion));
    return {
      crate,
      version,
      isVersionChosen: chosen !== undefined,
      versionCount: versions.total,
      dependentCount: dependents.total,
      owners: owners ?? [],
      registryName: REGISTRY_NAME,
    };
  }

  /** Handles a page of a crate; redirects other spellings of its name. */
  function page(make: (c: HttpContext, frame: Frame, view: CrateView) => Promise<Html> | Html) {
    return handlers.open(async ({ c, frame, show, goTo }) => {
      const crate = await readCrate(c);
      const asked = c.req.param('name') ?? '';
      if (crate.name !== asked) {
        const rest = frame.path.split('/').slice(3);
        return goTo([cratePath(crate.name), ...rest].join('/'));
      }
      return show(await make(c, frame, await find(c, crate)));
    });
  }

  const readme = page(async (_, frame, view) => {
    const text = await records.findReadme(view.crate.name, view.version.version);
    if (text === null || text.trim() === '') return readmePage(frame, view, null);
    const { repository, readmeFile } = view.version.metadata;
    const rendered = await readmes.render(text, { repository, readmePath: readmeFile });
    return readmePage(frame, view, rendered);
  });
  const dependencies = page((_, frame, view) => dependenciesPage(frame, view));
  const features = page((_, frame, view) => featuresPage(frame, view));
  const versions = page(async (c, frame, view) => {
    const { list, ...part } = await readPart(c, VERSIONS_PER_PAGE, (request) =>
      records.listVersions(view.crate.name, request),
    );
    return versionsPage(frame, view, { versions: list.items, ...part });
  });
  const dependents = page(async (c, frame, view) => {
    const { list, ...part } = await readPart(c, DEPENDENTS_PER_PAGE, (request) =>
      records.listDependents(view.crate.name, request),
    );
    return dependentsPage(frame, view, { dependents: list, ...part });
  });

  const changeTrustedOnly = handlers.ownForm(async ({ c, actor, records: authorized, goTo }, form) => {
    const name = c.req.param('name') ?? '';
    const outcome = await authorized.setTrustedOnly({
      ...{ crate: name, isTrustedOnly: form.get('only') === 'yes' },
      ...{ atMs: clock.now(), actor },
    });
    if (outcome.kind === 'no-crate') throw new PageError(noSuchCrate(name, null));
    if (outcome.kind === 'not-owner') throw new PageError(OWNERS_ONLY);
    return goTo(cratePath(outcome.crate.name));
  });

  return new Hono<HttpEnv>()
    .get('/crates/:name', readme)
    .post('/crates/:name/trusted-only', changeTrustedOnly)
    .get('/crates/:name/versions', versions)
    .get('/crates/:name/dependencies', dependencies)
    .get('/crates/:name/dependents', dependents)
    .get('/crates/:name/features', features)
    .get('/crates/:name/:version', readme)
    .get('/crates/:name/:version/dependencies', dependencies)
    .get('/crates/:name/:version/features', features);
}
