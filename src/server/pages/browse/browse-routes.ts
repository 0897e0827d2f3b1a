/** `/crates`, `/keywords/…`, `/categories/…`, `/users/…` and `/teams/…`: lists of crates, keywords and categories. */
import { Hono } from 'hono';
import { clientNetwork, type HttpContext, type HttpEnv, routeParam } from '../../http/http-env.ts';
import { CATEGORY_SLUGS } from '../../publish/categories.ts';
import type { ServerContext } from '../../server-context.ts';
import { mostUsedFirst, pageOfTags } from '../../store/tag-counts.ts';
import { type CrateFilter, NO_CONDITIONS } from '../../store/browse-records.ts';
import type { CrateOrder } from '../../store/crate-records.ts';
import { teamLogin } from '../../store/team-login.ts';
import { crateListPage, type CrateListView, teamPage, userPage } from './browse-pages.ts';
import { NOT_FOUND, noCratesOf, noTeamNamed } from '../shared/error-page.ts';
import { html } from '../shared/html.ts';
import {
  PageError,
  type PageHandlers,
  type PageServices,
  type WebPageRequest,
} from '../services/page-handlers.ts';
import { mirroredSection } from '../mirrored/mirrored-list.ts';
import { MirroredLists } from '../mirrored/mirrored-lists.ts';
import { readPart } from '../shared/paging.ts';
import { categoryPath, keywordPath, profilePath, teamPath } from '../shared/paths.ts';
import { readOrder } from '../shared/sort-links.ts';
import { categoriesPage, keywordsPage } from './tag-pages.ts';

const CRATES_PER_PAGE = 50;
const KEYWORDS_PER_PAGE = 120;
/** The form of published keywords, as `checkKeywords` in `check-metadata.ts` requires. */
const KEYWORD = /^[A-Za-z0-9][A-Za-z0-9_+-]{0,99}$/;

/** Returns the routes of the lists of crates. */
export function browseRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { context } = services;
  const pages = new BrowsePages(services);
  return new Hono<HttpEnv>()
    .get(
      '/crates',
      handlers.open((request) => pages.all(request)),
    )
    .get(
      '/keywords',
      handlers.open((request) => pages.keywords(request)),
    )
    .get(
      '/keywords/:word',
      handlers.open((request) => pages.keyword(request)),
    )
    .get(
      '/categories',
      handlers.open(async ({ frame, show }) =>
        show(categoriesPage(frame, await context.records.countCategories())),
      ),
    )
    .get(
      '/categories/:slug',
      handlers.open((request) => pages.category(request)),
    )
    .get(
      '/users/:login',
      handlers.open((request) => pages.user(request)),
    )
    .get(
      '/teams/:name',
      handlers.open((request) => pages.team(request)),
    );
}

/** A list of crates: its path, its conditions and the order without `?sort=`. */
interface CrateListRequest {
  readonly path: string;
  readonly filter: Partial<CrateFilter>;
  readonly defaultOrder: CrateOrder;
}

class BrowsePages {
  readonly #records: ServerContext['records'];
  readonly #settings: ServerContext['settings'];
  readonly #mirrored: MirroredLists;

  constructor(services: PageServices) {
    this.#records = services.context.records;
    this.#settings = services.context.settings;
    this.#mirrored = new MirroredLists(services);
  }

  /** Shows all crates; with `?from=upstream`, the cached crates of the upstream. */
  async all(request: WebPageRequest): Promise<Response> {
    const { c, frame, show } = request;
    if (c.req.query('from') === 'upstream') return this.#mirrored.show(request);
    const defaultOrder = 'name';
    const order = readOrder(c) ?? defaultOrder;
    const part = await readPart(c, CRATES_PER_PAGE, (page) =>
      this.#records.searchCrates('', { ...page, order }),
    );
    const lead = html`, also <a href="/categories">by category</a> and <a href="/keywords">by keyword</a>`;
    const view = { ...part, path: '/crates', order, defaultOrder } as const;
    const after = mirroredSection(frame, await this.#mirrored.following(c, part));
    return show(crateListPage(frame, view, { title: 'All crates', lead, filter: null, after }));
  }

  async keywords({ c, frame, show }: WebPageRequest): Promise<Response> {
    const isByUse = c.req.query('sort') !== 'name';
    const keywords = await this.#records.countKeywords();
    const part = await readPart(c, KEYWORDS_PER_PAGE, async (page) =>
      pageOfTags(isByUse ? mostUsedFirst(keywords) : keywords, page),
    );
    return show(keywordsPage(frame, { ...part, isByUse }));
  }

  async keyword({ c, frame, show, goTo }: WebPageRequest): Promise<Response> {
    const word = routeParam(c, 'word');
    if (!KEYWORD.test(word)) throw new PageError(NOT_FOUND);
    const keyword = word.toLowerCase();
    // Crates are listed by keywords in lower case.
    if (keyword !== word) return goTo(keywordPath(keyword) + queryOf(c));
    const view = await this.#list(c, {
      path: keywordPath(word),
      filter: { keywords: [word] },
      defaultOrder: 'downloads',
    });
    const texts = { title: `Keyword ${word}`, heading: html`<span class="quiet">#</span>${word}` };
    return show(crateListPage(frame, view, { ...texts, filter: `keyword:${word}` }));
  }

  async category({ c, frame, show }: WebPageRequest): Promise<Response> {
    const slug = routeParam(c, 'slug');
    if (!CATEGORY_SLUGS.has(slug)) throw new PageError(NOT_FOUND);
    const view = await this.#list(c, {
      path: categoryPath(slug),
      filter: { categories: [slug] },
      defaultOrder: 'downloads',
    });
    const lead = html` in this category. <a href="/categories">See all categories</a>`;
    return show(crateListPage(frame, view, { title: slug, lead, filter: `category:${slug}` }));
  }

  async user({ c, user: viewer, frame, show, goTo }: WebPageRequest): Promise<Response> {
    const login = routeParam(c, 'login');
    const user = await this.#records.findUser(login);
    // To visitors, users without crates look like unknown ones, so that strangers cannot probe for logins.
    if (user === null) throw new PageError(noCratesOf(login));
    const view = await this.#list(c, {
      path: profilePath(user.login),
      filter: { owners: [user.login] },
      defaultOrder: 'downloads',
    });
    if (view.list.total === 0 && viewer === null) throw new PageError(noCratesOf(login));
    if (user.login !== login) return goTo(profilePath(user.login) + queryOf(c));
    const teams = viewer === null ? [] : await this.#records.listTeamsOf(user.id);
    return show(userPage(frame, view, { user, teams }));
  }

  async team({ c, user: viewer, frame, show, goTo }: WebPageRequest): Promise<Response> {
    const name = routeParam(c, 'name');
    const team = await this.#records.findTeam(name);
    // Visitors see only teams that own a crate, for the same reason as with users.
    if (team === null || (team.crateCount === 0 && viewer === null)) throw new PageError(noTeamNamed(name));
    if (team.name !== name) return goTo(teamPath(team.name) + queryOf(c));
    const view = await this.#list(c, {
      path: teamPath(name),
      filter: { owners: [teamLogin(name)] },
      defaultOrder: 'downloads',
    });
    return show(teamPage(frame, view, team));
  }

  async #list(c: HttpContext, { path, filter, defaultOrder }: CrateListRequest): Promise<CrateListView> {
    const order = readOrder(c) ?? defaultOrder;
    const client = clientNetwork(c, this.#settings.trustedProxies);
    const part = await readPart(c, CRATES_PER_PAGE, (page) =>
      this.#records.listCrates({ ...NO_CONDITIONS, ...filter }, { ...page, order, client }),
    );
    return { ...part, path, order, defaultOrder };
  }
}

/** Returns the query of a request with its question mark; empty without one. */
function queryOf(c: HttpContext): string {
  return new URL(c.req.url).search;
}
