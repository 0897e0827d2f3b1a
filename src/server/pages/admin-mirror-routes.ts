/** `/admin/mirror`: the upstream and its cache. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { adminMirrorPage, noMirrorPage } from './admin-mirror-page.ts';
import type { PageHandlers, PageServices, UserPageRequest } from './page-handlers.ts';

/** Returns the route. */
export function adminMirrorRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, upstream } = context;
  const show = async ({ frame, show: respond }: UserPageRequest): Promise<Response> => {
    if (upstream === null) return respond(noMirrorPage(frame));
    const [files, cachedBytes, reservedNames] = await Promise.all([
      records.countMirrored(),
      records.sumMirrored(),
      records.listReservedNames(),
    ]);
    const status = upstream.status();
    return respond(adminMirrorPage(frame, { status, files, cachedBytes, reservedNames }));
  };
  return new Hono<HttpEnv>().get('/admin/mirror', handlers.admin(show));
}
