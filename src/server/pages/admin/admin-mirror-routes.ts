/** `/admin/mirror`: the upstream and its cache. */
import { Hono } from 'hono';
import type { HttpContext, HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { adminMirrorPage, type AdminMirrorView, noMirrorPage } from './admin-mirror-page.ts';
import {
  type AffectedMirroredCrate,
  findAffectedMirrored,
  findMirroredNames,
} from '../mirrored/mirrored-advisories.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';
import { readNamedPart } from '../shared/paging.ts';

/** Few, because each crate may need a read of its index file. */
const AFFECTED_PER_PAGE = 25;

/** Returns the route of `/admin/mirror`. */
export function adminMirrorRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, upstream } = context;
  const show = async ({ c, frame, show: respond }: UserPageRequest): Promise<Response> => {
    if (upstream === null) return respond(noMirrorPage(frame));
    const [files, cachedBytes, reservedNames, affected] = await Promise.all([
      records.countMirrored(),
      records.sumMirrored(),
      records.listReservedNames(),
      readAffected(c, context),
    ]);
    const status = upstream.status();
    return respond(adminMirrorPage(frame, { status, files, cachedBytes, reservedNames, affected }));
  };
  return new Hono<HttpEnv>().get('/admin/mirror', handlers.admin(show));
}

/**
 * Reads a part of the cached crates with advisories; null without an advisory database. `total` also counts crates
 * without affected versions, because only those of the part are read: a part may have fewer crates than others.
 */
async function readAffected(c: HttpContext, context: ServerContext): Promise<AdminMirrorView['affected']> {
  const { upstream, advisories } = context;
  if (advisories === undefined || upstream === null) return null;
  const services = { context, upstream, advisories };
  const names = await findMirroredNames(services);
  const options = { name: 'affected', limit: AFFECTED_PER_PAGE };
  const part = await readNamedPart(c, options, async ({ limit, offset }) => {
    const items: AffectedMirroredCrate[] = [];
    for (const name of names.slice(offset, offset + limit)) {
      const crate = await findAffectedMirrored(services, name);
      if (crate !== null) items.push(crate);
    }
    return { items, total: names.length };
  });
  return { part, advisoryCount: advisories.state.advisories };
}
