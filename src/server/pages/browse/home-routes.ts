/** The start page and the assets. */
import { Hono } from 'hono';
import { clientNetwork, type HttpContext, type HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { CrateOrder } from '../../store/crate-records.ts';
import type { Crate } from '../../store/values.ts';
import { homePage, homeResults, type HomeView, type TopCrates } from './home-page.ts';
import type { SearchView } from '../shared/crate-list.ts';
import { MAX_QUERY_CHARS } from '../shared/layout.ts';
import { MirroredLists } from '../mirrored/mirrored-lists.ts';
import { readPart } from '../shared/paging.ts';
import { withQuery } from '../shared/paths.ts';
import { addFilters, hasFilters, ignoredFilters, parseSearch } from './search-text.ts';
import { readOrder } from '../shared/sort-links.ts';
import type { PageServices, PageHandlers } from '../services/page-handlers.ts';

const RESULTS_PER_PAGE = 20;
const TOP_CRATES = 10;

/** Even an SVG of the operator, opened as a page, runs no scripts and loads nothing. */
const ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Returns the routes of `/assets/…` and `/`. `?part=results` selects the part that changes while the user types. */
export function homeRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { context, identity } = services;
  const { records, settings } = context;
  const mirrored = new MirroredLists(services);
  const routes = new Hono<HttpEnv>();
  routes.get('/assets/:file', async (c, next) => {
    const asset = await identity.findAsset(c.req.path);
    if (asset === null) return next();
    return c.body(asset.body, 200, {
      'Content-Type': asset.contentType,
      'Content-Security-Policy': ASSET_POLICY,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
  routes.get(
    '/',
    handlers.open(async ({ c, frame, show, goTo }) => {
      const typed = (c.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS).trim();
      const query = addFilters(typed, (kind) => c.req.query(kind) ?? '', MAX_QUERY_CHARS);
      if (query !== typed) return goTo(withQuery('/', { q: query, sort: readOrder(c) }));
      const [content, counts] = await Promise.all([readContent(c, context, query), records.count()]);
      const view: HomeView = {
        content,
        mirrored: 'search' in content ? await mirrored.matching(c, content.search) : null,
        counts,
        indexUrl: `sparse+${settings.baseUrl}/index/`,
        isPrivate: settings.authRequired,
      };
      return show(c.req.query('part') === 'results' ? homeResults(frame, view) : homePage(frame, view));
    }),
  );
  return routes;
}

/** Reads the first crates in each order. */
async function readTops(records: ServerContext['records']): Promise<TopCrates> {
  const first = async (order: CrateOrder): Promise<readonly Crate[]> =>
    (await records.searchCrates('', { limit: TOP_CRATES, offset: 0, order })).items;
  const [created, updated, downloads] = await Promise.all([
    first('created'),
    first('updated'),
    first('downloads'),
  ]);
  return { created, updated, downloads };
}

/** Reads the results of a search, or the top crates if `query` is empty. */
async function readContent(
  c: HttpContext,
  context: ServerContext,
  query: string,
): Promise<HomeView['content']> {
  return query === ''
    ? { tops: await readTops(context.records) }
    : { search: await search(c, context, query) };
}

/** Finds the part of the results that the query of the page selects. A search with filters has no best match. */
async function search(
  c: HttpContext,
  { records, settings }: ServerContext,
  query: string,
): Promise<SearchView> {
  const filter = parseSearch(query);
  const isRanked = !hasFilters(filter);
  const order = readOrder(c);
  const client = clientNetwork(c, settings.trustedProxies);
  const part = await readPart(c, RESULTS_PER_PAGE, (page) => {
    if (!isRanked) return records.listCrates(filter, { ...page, order: order ?? 'downloads', client });
    return records.searchCrates(filter.query, order === null ? page : { ...page, order });
  });
  return { query, order, isRanked, ignored: ignoredFilters(query), ...part };
}
