/** `/crates/NAME/…` of crates that are not published here, but cached from the upstream. */
import { type Handler, Hono } from 'hono';
import { routeParam, type HttpEnv } from '../../http/http-env.ts';
import { ComparePages } from '../source/compare-routes.ts';
import { MirroredPages, type MirroredPageTab } from './mirrored-pages.ts';
import { MirroredSourceCrates } from './mirrored-source-crates.ts';
import { MirroredViews } from './mirrored-views.ts';
import type { PageHandlers, PageServices, WebPageRequest } from '../services/page-handlers.ts';
import { SourcePages, type SourceServices } from '../source/source-routes.ts';

/**
 * Returns the routes; none without an upstream. They pass requests on if the crate is not cached, so they must precede
 * those of crates that are published here, which have the same paths.
 */
export function mirroredRoutes(
  { context, badges }: PageServices,
  handlers: PageHandlers,
  { sources }: Pick<SourceServices, 'sources'>,
): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const { upstream } = context;
  if (upstream === null) return routes;
  const views = new MirroredViews({ context, sources, upstream });
  const pages = new MirroredPages({ context, badges, sources, upstream }, views);
  const crates = new MirroredSourceCrates({ context, upstream, pages, views });
  const source = new SourcePages({ context, sources, crates });
  const comparisons = new ComparePages({ context, sources, crates });
  const cached = (respond: (request: WebPageRequest) => Promise<Response>): Handler<HttpEnv> => {
    const show = handlers.open(respond);
    return async (c, next) => {
      // Strangers must not cause work, or learn what is cached: the next route asks them to sign in.
      const isOpen = !context.settings.authRequired || (await handlers.pageRequest(c)).user !== null;
      const crate = isOpen ? await upstream.cache.find(routeParam(c, 'name')) : null;
      return crate === null ? next() : show(c, next);
    };
  };
  const page = (tab: MirroredPageTab): Handler<HttpEnv> => cached((request) => pages.show(request, tab));
  return routes
    .get(
      '/crates/:name/compare',
      cached((request) => comparisons.choose(request)),
    )
    .get(
      '/crates/:name/compare/:versions',
      cached((request) => comparisons.show(request)),
    )
    .get(
      '/crates/:name/:version/source/*',
      cached((request) => source.respond(request)),
    )
    .get('/crates/:name', page('readme'))
    .get('/crates/:name/versions', page('versions'))
    .get('/crates/:name/dependencies', page('dependencies'))
    .get('/crates/:name/features', page('features'))
    .get('/crates/:name/:version', page('readme'))
    .get('/crates/:name/:version/dependencies', page('dependencies'))
    .get('/crates/:name/:version/features', page('features'));
}
