/** The start page and the assets. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { REGISTRY_NAME } from './crate-frame.ts';
import { homePage, homeResults, type HomeView } from './home-page.ts';
import { MAX_QUERY_CHARS } from './layout.ts';
import { readPart } from './paging.ts';
import type { PageServices, PageHandlers } from './page-handlers.ts';

const RESULTS_PER_PAGE = 20;
const RECENT_CRATES = 10;

/** Returns the routes of `/assets/…` and `/`. `?part=results` selects the part that changes while the user types. */
export function homeRoutes({ context, assets }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, settings } = context;
  const routes = new Hono<HttpEnv>();
  for (const { path, contentType, text } of Object.values(assets)) {
    routes.get(path, (c) =>
      c.body(text, 200, {
        'Content-Type': contentType,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'same-origin',
      }),
    );
  }
  routes.get(
    '/',
    handlers.open(async ({ c, frame, show }) => {
      const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY_CHARS).trim();
      const [results, recent, counts] = await Promise.all([
        query === ''
          ? null
          : readPart(c, RESULTS_PER_PAGE, (request) => records.searchCrates(query, request)),
        query === '' ? records.listRecentCrates(RECENT_CRATES) : [],
        records.count(),
      ]);
      const view: HomeView = {
        search:
          results === null ? null : { query, crates: results.list, page: results.page, pages: results.pages },
        recent,
        counts,
        registryName: REGISTRY_NAME,
        indexUrl: `sparse+${settings.baseUrl}/index/`,
        isPrivate: settings.authRequired,
      };
      return show(c.req.query('part') === 'results' ? homeResults(view) : homePage(frame, view));
    }),
  );
  return routes;
}
