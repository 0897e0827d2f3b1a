/** `/feed.atom` and `/crates/NAME/feed.atom`: feeds of new versions. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { matchesEtag } from '../../http/conditional.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../../http/http-env.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import { FEED_TYPE, feedDocument, type Feed } from './feed.ts';
import { PageError, type PageHandlers, type PageServices } from '../services/page-handlers.ts';
import { cratePath, feedPath } from '../shared/paths.ts';
import { rawHeaders } from '../source/source-raw.ts';

/** Versions in a feed. */
const MAX_ENTRIES = 50;

/** Returns the routes of feeds. */
export function feedRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, settings } = context;
  const { baseUrl } = settings;
  return new Hono<HttpEnv>()
    .get(
      '/feed.atom',
      handlers.open(async ({ c, frame }) => {
        const { siteName } = frame.identity;
        const versions = await records.listNewVersions(MAX_ENTRIES);
        return respond(c, {
          baseUrl,
          siteName,
          title: `New versions · ${siteName}`,
          path: feedPath(),
          pagePath: '/',
          emptySinceMs: 0,
          versions,
        });
      }),
    )
    .get(
      '/crates/:name/feed.atom',
      handlers.open(async ({ c, frame, goTo }) => {
        const { siteName } = frame.identity;
        const name = routeParam(c, 'name');
        const crate = await records.findCrate(name);
        if (crate === null) throw new PageError(noSuchCrate(name, null));
        if (crate.name !== name) return goTo(feedPath(crate.name));
        const request = { limit: MAX_ENTRIES, offset: 0, order: 'published', isWithoutYanked: true } as const;
        const { items: versions } = await records.listVersions(name, request);
        return respond(c, {
          baseUrl,
          siteName,
          title: `${name} · ${siteName}`,
          path: feedPath(name),
          pagePath: cratePath(name),
          emptySinceMs: crate.updatedAtMs,
          versions,
        });
      }),
    );
}

/** Returns the feed as the response, or 304 if the client has it already. */
function respond(c: HttpContext, feed: Feed): Response {
  const { text } = feedDocument(feed);
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  if (matchesEtag(c.req.header('if-none-match') ?? '', etag)) return c.body(null, 304, rawHeaders(etag));
  return c.body(text, 200, { ...rawHeaders(etag), 'Content-Type': `${FEED_TYPE}; charset=utf-8` });
}
