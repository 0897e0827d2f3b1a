import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { HealthCheck } from '../http/health-check.ts';
import { type HttpContext, type HttpEnv, requestIdOf } from '../http/http-env.ts';
import type { ServerContext } from '../server-context.ts';
import { HourlyCount } from '../shared/hourly-count.ts';
import { CrateSources } from '../source/crate-sources.ts';
import { reasonOf } from '../shared/reason-of.ts';
import { accountRoutes } from './account/account-routes.ts';
import { adminAdvisoriesRoutes } from './admin/admin-advisories-routes.ts';
import { adminMirrorRoutes } from './admin/admin-mirror-routes.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { adminSettingsRoutes } from './admin/admin-settings-routes.ts';
import { adminUserRoutes } from './admin/admin-user-routes.ts';
import { adminTeamRoutes } from './admin/admin-team-routes.ts';
import { auditRoutes } from './admin/audit-routes.ts';
import { BadgeProxy } from './services/badge-proxy.ts';
import { badgeImageRoutes } from './browse/badge-routes.ts';
import { browseRoutes } from './browse/browse-routes.ts';
import { compareRoutes } from './source/compare-routes.ts';
import { CratePages, crateRoutes } from './crate/crate-routes.ts';
import { documentationRoutes } from './documentation/documentation-routes.ts';
import { AWAY, BROKEN, FULL, NOT_FOUND } from './shared/error-page.ts';
import { errorViewOf } from './services/error-view-of.ts';
import { feedRoutes } from './browse/feed-routes.ts';
import { homeRoutes } from './browse/home-routes.ts';
import { mirroredRoutes } from './mirrored/mirrored-routes.ts';
import { publisherRoutes } from './admin/publisher-routes.ts';
import { Sessions } from './services/sessions.ts';
import { SiteIdentity } from './services/site-identity.ts';
import { signInRoutes } from './account/sign-in-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { sourceRoutes } from './source/source-routes.ts';
import { PageHandlers, type PageServices } from './services/page-handlers.ts';

/**
 * Returns the app for all pages. It must be mounted last: it also returns an error page to browsers for unknown paths.
 * Other routes can use the same `sources`.
 */
export function pagesApp(
  context: ServerContext,
  health: HealthCheck,
  sources: CrateSources = new CrateSources(context),
): Hono<HttpEnv> {
  const services: PageServices = {
    context,
    sessions: new Sessions(context),
    identity: new SiteIdentity(context),
    badges: new BadgeProxy(context),
    sources,
    health,
    failedSignIns: new HourlyCount(context.clock.now()),
  };
  const handlers = new PageHandlers(services);
  const app = new Hono<HttpEnv>();
  // Form proofs differ each time, so that nobody can guess them from compressed lengths.
  app.use(compress({ encoding: 'gzip' }));
  app.onError((error, c) => {
    const view = errorViewOf(error);
    if (view === BROKEN || view === AWAY || view === FULL) {
      const id = requestIdOf(c);
      context.log.error('page-failed', { id, reason: reasonOf(error), stack: error.stack ?? null });
    }
    return handlers.showError(c, view);
  });
  app.route('/', homeRoutes(services, handlers));
  app.route('/', browseRoutes(services, handlers));
  app.route('/', badgeImageRoutes(services, handlers));
  app.route('/', feedRoutes(services, handlers));
  const source = { context, crates: new CratePages(services), sources: services.sources };
  app.route('/', mirroredRoutes(services, handlers, source));
  // `/crates/NAME/VERSION` matches `/crates/NAME/compare` and others, so `crateRoutes` must come after these.
  app.route('/', compareRoutes(source, handlers));
  app.route('/', sourceRoutes(source, handlers));
  app.route('/', settingsRoutes(services, handlers, source));
  app.route('/', crateRoutes(services, handlers));
  if (context.settings.documentation !== 'off') app.route('/', documentationRoutes(services, handlers));
  app.route('/', signInRoutes(services, handlers));
  app.route('/', accountRoutes(services, handlers));
  app.route('/', adminRoutes(services, handlers));
  app.route('/', adminUserRoutes(services, handlers));
  app.route('/', adminTeamRoutes(services, handlers));
  app.route('/', adminSettingsRoutes(services, handlers));
  app.route('/', adminMirrorRoutes(services, handlers));
  app.route('/', adminAdvisoriesRoutes(services, handlers));
  app.route('/', auditRoutes(services, handlers));
  app.route('/', publisherRoutes(services, handlers));
  app.all('*', (c, next) => (isForPage(c) ? handlers.showError(c, NOT_FOUND) : next()));
  return app;
}

/** Returns true if the client accepts HTML. Other clients get responses of the web API. */
function isForPage(c: HttpContext): boolean {
  return c.req.header('accept')?.includes('text/html') === true;
}
