/** `/crates/…`: the pages of crates and versions. */
import { Hono } from 'hono';
import { type HttpContext, type HttpEnv, routeParam } from '../../http/http-env.ts';
import { readDownloads } from '../../http/api/daily-downloads.ts';
import type { ServerContext } from '../../server-context.ts';
import type { Crate, CrateRights, Version } from '../../store/values.ts';
import type { CrateView } from '../shared/crate-frame.ts';
import { dependenciesPage } from './dependencies-page.ts';
import { downloadSeries } from './download-series.ts';
import { dependentsPage } from './dependents-page.ts';
import { noCrateNamed, noSuchCrate } from '../shared/error-page.ts';
import { featuresPage } from './features-page.ts';
import { upstreamHint } from './upstream-hint.ts';
import type { Html } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { readPart } from '../shared/paging.ts';
import { renamedPath } from '../shared/paths.ts';
import { readmePage } from './readme-page.ts';
import { readUsageFacts } from './usage-facts.ts';
import { Readmes } from '../readme/readmes.ts';
import { readVersionFilter } from './version-filter.ts';
import { versionsPage } from './versions-page.ts';
import {
  PageError,
  type PageServices,
  type PageHandlers,
  type WebPageRequest,
} from '../services/page-handlers.ts';

const VERSIONS_PER_PAGE = 100;
const DEPENDENTS_PER_PAGE = 50;
/** The rights of a visitor. */
const NO_RIGHTS: CrateRights = 'none';
/** Maximum number of similar names on the page of an unknown crate. */
const MAX_SUGGESTIONS = 3;

/** Returns the routes of `/crates/…`. */
export function crateRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const pages = new CratePages(services);
  const page = (makePage: MakePage) => handlers.open((request) => pages.show(request, makePage));
  const readme = page((_, frame, view) => pages.readme(frame, view));
  const dependencies = page((_, frame, view) => pages.dependencies(frame, view));
  const features = page((_, frame, view) => featuresPage(frame, view));
  return new Hono<HttpEnv>()
    .get('/crates/:name', readme)
    .get(
      '/crates/:name/versions',
      page((c, frame, view) => pages.versions(c, frame, view)),
    )
    .get('/crates/:name/dependencies', dependencies)
    .get(
      '/crates/:name/dependents',
      page((c, frame, view) => pages.dependents(c, frame, view)),
    )
    .get('/crates/:name/features', features)
    .get('/crates/:name/:version', readme)
    .get('/crates/:name/:version/dependencies', dependencies)
    .get('/crates/:name/:version/features', features);
}

/** Returns a page of an existing crate. May throw `PageError`. */
type MakePage = (c: HttpContext, frame: Frame, view: CrateView) => Promise<Html> | Html;

/** The pages of crates and versions. */
export class CratePages {
  readonly #context: ServerContext;
  readonly #records: ServerContext['records'];
  readonly #badges: PageServices['badges'];
  readonly #sources: PageServices['sources'];
  readonly #readmes: Readmes;

  constructor({ context, badges, sources }: Pick<PageServices, 'context' | 'badges' | 'sources'>) {
    this.#context = context;
    this.#sources = sources;
    this.#records = context.records;
    this.#badges = badges;
    this.#readmes = new Readmes(context);
  }

  /**
   * Shows a page of the crate in the path; redirects other spellings of its name. Throws `PageError` if the crate or
   * the version in the path does not exist.
   */
  async show(request: WebPageRequest, makePage: MakePage): Promise<Response> {
    const { c, frame, show, goTo } = request;
    const name = routeParam(c, 'name');
    const crate = await this.#records.findCrate(name);
    if (crate === null) throw await this.unknownCrate(name);
    if (crate.name !== name) return goTo(renamedPath(c.req.url, crate.name));
    return show(await makePage(c, frame, await this.#view(request, crate)));
  }

  /** Returns the error for a crate that is neither published nor cached here. */
  async unknownCrate(name: string): Promise<PageError> {
    const [similar, hint] = await Promise.all([
      this.#records.findSimilarNames(name, MAX_SUGGESTIONS),
      upstreamHint(this.#context, name),
    ]);
    return new PageError(noCrateNamed(name, { similar, hint }));
  }

  /** Makes the first page of a crate or version. */
  async readme(frame: Frame, view: CrateView): Promise<Html> {
    const [readme, downloads] = await Promise.all([
      this.#renderReadme(view.version),
      readDownloads(this.#context, view.crate.name),
    ]);
    const { createdAtMs } = view.crate;
    return readmePage(frame, view, {
      readme,
      downloads: downloadSeries(downloads, { nowMs: frame.nowMs, createdAtMs }),
    });
  }

  /** Returns the readme as HTML; null if the version has none. */
  async #renderReadme({ crate, version, metadata }: Version): Promise<Html | null> {
    const text = await this.#records.findReadme(crate, version);
    if (text === null || text.trim() === '') return null;
    const { repository, readmeFile } = metadata;
    const badges = await this.#badges.forReadme();
    const archive = { crate, version };
    return this.#readmes.render(text, { repository, readmePath: readmeFile, archive, ...badges });
  }

  /** Makes the page of versions that `?page=` selects. */
  async versions(c: HttpContext, frame: Frame, view: CrateView): Promise<Html> {
    // Reads one more version than the page shows: the last row links to a comparison with it.
    const { list, ...part } = await readPart(c, VERSIONS_PER_PAGE, ({ limit, offset }) =>
      this.#records.listVersions(view.crate.name, { limit: limit + 1, offset }),
    );
    const versions = list.items.slice(0, VERSIONS_PER_PAGE);
    const { advisories } = this.#context;
    const advisoriesOf = ({ crate, version }: Version) => advisories?.of(crate, version) ?? [];
    const next = list.items[VERSIONS_PER_PAGE] ?? null;
    const facts = await readUsageFacts(c, versions, { context: this.#context, sources: this.#sources });
    return versionsPage(frame, view, { versions, next, facts, advisoriesOf, ...part });
  }

  /** Makes the page of dependencies. Looks up those without a registry: they are in this one. */
  async dependencies(frame: Frame, view: CrateView): Promise<Html> {
    const names = view.version.metadata.dependencies
      .filter(({ registry }) => registry === null)
      .map(({ name }) => name);
    return dependenciesPage(frame, view, await this.#records.listVersionsOf(names));
  }

  /** Makes the page of dependents that `?version=` and `?page=` select. */
  async dependents(c: HttpContext, frame: Frame, view: CrateView): Promise<Html> {
    const { name } = view.crate;
    const [crate] = (await this.#records.listVersionsOf([name])).values();
    const published = (crate?.versions ?? []).map(({ version }) => version);
    const filter = readVersionFilter(c.req.query('version') ?? '', published);
    const { accepts } = filter;
    const part = await readPart(c, DEPENDENTS_PER_PAGE, (page) =>
      this.#records.listDependents(name, accepts === null ? page : { ...page, accepts }),
    );
    return dependentsPage(frame, view, { ...part, filter });
  }

  /** Reads the crate at the version in the path, or else its highest one. Throws `PageError` without that version. */
  async #view({ c, user }: WebPageRequest, crate: Crate): Promise<CrateView> {
    const chosen = c.req.param('version');
    const { settings } = this.#context;
    const [version, versions, owners, teams, rights, documentation, dependents] = await Promise.all([
      this.#records.findVersion(crate.name, chosen ?? crate.maxVersion),
      this.#records.listVersions(crate.name, { limit: 0, offset: 0 }),
      this.#records.listOwners(crate.name),
      this.#records.listOwnerTeams(crate.name),
      user === null ? NO_RIGHTS : this.#records.findCrateRights(crate.name, user),
      settings.documentation === 'off' ? [] : this.#records.listDocumentation(crate.name),
      this.#records.listDependents(crate.name, { limit: 1, offset: 0 }),
    ]);
    if (version === null) throw new PageError(noSuchCrate(crate.name, chosen ?? crate.maxVersion));
    const services = { context: this.#context, sources: this.#sources };
    return {
      crate,
      version,
      facts: (await readUsageFacts(c, [version], services)).get(version.checksum) ?? null,
      isVersionChosen: chosen !== undefined,
      advisories: this.#context.advisories?.of(crate.name, version.version) ?? [],
      versionCount: versions.total,
      dependentCount: dependents.total,
      // null only if the crate was deleted meanwhile.
      owners: owners ?? [],
      teams: teams ?? [],
      rights,
      documentation,
    };
  }
}
