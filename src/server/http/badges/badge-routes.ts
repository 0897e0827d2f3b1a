/** `/badges/…`: images about crates, for readmes. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { ServerContext } from '../../server-context.ts';
import type { CrateDetails } from '../../store/crate-records.ts';
import { mount } from '../api/operations.ts';
import type { Authenticator } from '../authenticate.ts';
import { matchesEtag } from '../conditional.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../http-env.ts';
import { type Badge, drawBadge } from './badge-svg.ts';

/** How long caches may keep a badge. */
const MAX_AGE_SECONDS = 300;

const NOT_FOUND: Badge = { label: 'crate', value: 'not found', colour: 'grey' };

const COUNTS = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Returns the routes of the badges. */
export function badgeRoutes(
  { records, settings }: ServerContext,
  authenticator: Authenticator,
): Hono<HttpEnv> {
  const cacheControl = `${settings.authRequired ? 'private' : 'public'}, max-age=${MAX_AGE_SECONDS}`;

  const show = (badgeOf: (details: CrateDetails) => Badge) => async (c: HttpContext) => {
    await authenticator.findReader(c);
    const [details] = await records.describeCrates([routeParam(c, 'crate')]);
    const svg = drawBadge(details === undefined ? NOT_FOUND : badgeOf(details));
    const etag = `"${createHash('sha256').update(svg).digest('hex').slice(0, 32)}"`;
    const headers = {
      'Content-Type': 'image/svg+xml; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': cacheControl,
      ...(settings.authRequired ? { Vary: 'Authorization' } : {}),
      ETag: etag,
    };
    if (details === undefined) return c.body(svg, 404, headers);
    const ifNoneMatch = c.req.header('if-none-match');
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return c.body(null, 304, headers);
    return c.body(svg, 200, headers);
  };

  const app = new Hono<HttpEnv>();
  mount(app, 'getVersionBadge', show(versionBadge));
  mount(
    app,
    'getDownloadsBadge',
    show(({ crate }) => ({ label: 'downloads', value: COUNTS.format(crate.downloads), colour: 'blue' })),
  );
  return app;
}

/** Returns the badge with the version that new users of the crate get. */
function versionBadge({ crate, newestVersion, maxStableVersion }: CrateDetails): Badge {
  if (newestVersion === null) return { label: crate.name, value: 'yanked', colour: 'grey' };
  return {
    label: crate.name,
    value: `v${maxStableVersion ?? crate.maxVersion}`,
    colour: maxStableVersion === null ? 'orange' : 'blue',
  };
}
