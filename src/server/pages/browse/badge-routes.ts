/** `/badges/SIGNATURE?address=…`: badges of other sites in readmes. */
import { Hono } from 'hono';
import { BADGE_MAX_AGE_MS, type BadgeImage, FAILED_BADGE_MAX_AGE_MS } from '../../shared/remote-badges.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../../http/http-env.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { PageError, type PageHandlers, type PageServices } from '../services/page-handlers.ts';

/** Even an SVG, opened as a page, runs no scripts and loads nothing. */
const BADGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Returns the route of `/badges/SIGNATURE`. */
export function badgeImageRoutes({ badges }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get(
    '/badges/:signature',
    handlers.open(async ({ c }) => {
      const address = c.req.query('address') ?? '';
      const isShown = await badges.isShown({ signature: routeParam(c, 'signature'), address });
      if (!isShown) throw new PageError(NOT_FOUND);
      return respond(c, await badges.find(address));
    }),
  );
}

/** Returns the response with a badge. Without one, the browser shows the text of the image. */
function respond(c: HttpContext, image: BadgeImage | null): Response {
  const maxAgeMs = image === null ? FAILED_BADGE_MAX_AGE_MS : BADGE_MAX_AGE_MS;
  const headers = {
    'Content-Security-Policy': BADGE_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': `private, max-age=${maxAgeMs / 1000}`,
  };
  if (image === null) return c.text('This badge is not available.', 404, headers);
  return c.body(image.bytes, 200, { ...headers, 'Content-Type': image.type });
}
