/** `/crates/NAME/…` of crates that are not published here, but cached from the upstream. */
import { type Handler, Hono } from 'hono';
import { routeParam, type HttpEnv } from '../../http/http-env.ts';
import type { MirroredTab } from './mirrored-frame.ts';
import { MirroredPages } from './mirrored-pages.ts';
import type { PageHandlers, PageServices } from '../services/page-handlers.ts';
import type { SourceServices } from '../source/source-routes.ts';

/**
 * Returns the routes; none without an upstream. They pass requests on if the crate is not cached, so they must precede
 * those of `crateRoutes`, which have the same paths.
 */
export function mirroredRoutes(
  { context, badges }: PageServices,
  handlers: PageHandlers,
  { sources }: Pick<SourceServices, 'sources'>,
): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const { upstream } = context;
  if (upstream === null) return routes;
  const pages = new MirroredPages({ context, badges, sources, upstream });
  const page = (tab: MirroredTab): Handler<HttpEnv> => {
    const show = handlers.open((request) => pages.show(request, tab));
    return async (c, next) => {
      // Strangers must not cause work, or learn what is cached: the next route asks them to sign in.
      const isOpen = !context.settings.authRequired || (await handlers.pageRequest(c)).user !== null;
      const crate = isOpen ? await upstream.cache.find(routeParam(c, 'name')) : null;
      return crate === null ? next() : show(c, next);
    };
  };
  return routes
    .get('/crates/:name', page('readme'))
    .get('/crates/:name/versions', page('versions'))
    .get('/crates/:name/dependencies', page('dependencies'))
    .get('/crates/:name/features', page('features'))
    .get('/crates/:name/:version', page('readme'))
    .get('/crates/:name/:version/dependencies', page('dependencies'))
    .get('/crates/:name/:version/features', page('features'));
}
