/** The whole server as a function from requests to responses. The one place that joins all routes. */
import { Hono } from 'hono';
import { MirroredDescriptions } from './pages/mirrored/mirrored-descriptions.ts';
import { pagesApp } from './pages/pages-app.ts';
import { Readmes } from './pages/readme/readmes.ts';
import { withTextSigns } from './pages/readme/readme-signs.ts';
import { respondWithFailure } from './respond-with-failure.ts';
import type { ServerContext } from './server-context.ts';
import { crateRoutes } from './http/api/crate-routes.ts';
import { allowedMethods } from './http/api/operations.ts';
import { registryRoutes } from './http/api/registry-routes.ts';
import { tagRoutes } from './http/api/tag-routes.ts';
import { type RenderReadme, versionRoutes } from './http/api/version-routes.ts';
import { badgeRoutes } from './http/badges/badge-routes.ts';
import { accountRoute } from './http/account-route.ts';
import { ApiError, respondWithError } from './http/api-error.ts';
import { Authenticator } from './http/authenticate.ts';
import { checkHost } from './http/check-host.ts';
import { ClientLimit } from './http/client-limit.ts';
import { documentationRoutes } from './http/documentation-routes.ts';
import { DownloadCounter } from './http/download-counter.ts';
import { downloadRoutes } from './http/download-routes.ts';
import { crateSettingsRoute } from './http/crate-settings-route.ts';
import { HealthCheck } from './http/health-check.ts';
import { healthRoutes } from './http/health-routes.ts';
import type { HttpEnv } from './http/http-env.ts';
import { indexRoutes } from './http/index-routes.ts';
import { limitHeaders } from './http/limit-headers.ts';
import { CrateSources } from './source/crate-sources.ts';
import { Metrics } from './shared/metrics.ts';
import { withRecentLists } from './store/recent-lists.ts';
import { metricsRoute } from './http/metrics-route.ts';
import { observeRequests } from './http/observe-requests.ts';
import { ownerRoutes } from './http/owner-routes.ts';
import { publishRoute } from './http/publish-route.ts';
import { searchRoute } from './http/search-route.ts';
import { securityHeaders } from './http/security-headers.ts';
import { trustedPublishingRoutes } from './http/trusted-publishing-routes.ts';
import { WriteGuard } from './http/write-guard.ts';
import { yankRoutes } from './http/yank-routes.ts';

/** Requests of one client to the upstream at a time. `MAX_WAITING` of the upstream is the limit for all clients. */
const MAX_UPSTREAM_REQUESTS_OF_CLIENT = 500;

/** The request handlers of the server, and the services that its owner must start and stop. */
export interface ServerApp {
  readonly fetch: Hono<HttpEnv>['fetch'];
  /** Handles only `/metrics`, for a separate listener. */
  readonly metrics: Hono<HttpEnv>['fetch'];
  /** Must be started, and stopped after the last request. */
  readonly downloads: DownloadCounter;
  /** All routes, for tests. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** Makes `/readyz` report `stopping`, so that load balancers send no more requests. Later requests still work. */
  startDraining(): void;
}

/** Creates the server. It needs no socket: `fetch` handles requests from any source. */
export function createApp(serverContext: ServerContext): ServerApp {
  const context = { ...serverContext, records: withRecentLists(serverContext.records, serverContext.clock) };
  const metrics = new Metrics();
  let isStopping = false;
  const authenticator = new Authenticator(context);
  const guard = new WriteGuard(context, authenticator);
  const downloads = new DownloadCounter(context);

  const app = new Hono<HttpEnv>();
  app.use(observeRequests(context, metrics), securityHeaders(context.settings), limitHeaders());
  app.use(checkHost(context.settings));
  app.onError((error, c) => respondWithFailure(error, c, context));
  app.notFound((c) => respondWithError(c, new ApiError(404, 'not found')));
  const health = new HealthCheck(context);
  app.route('/', healthRoutes(context, { health, isStopping: () => isStopping }));
  const metricsApp = metricsRoute(context, { authenticator, metrics });
  metricsApp.onError((error, c) => respondWithFailure(error, c, context));
  if (context.settings.metrics?.hasOwnListener !== true) app.route('/', metricsApp);
  const upstreamLimit = new ClientLimit(MAX_UPSTREAM_REQUESTS_OF_CLIENT);
  app.route('/index', indexRoutes(context, { authenticator, upstreamLimit }));
  app.route('/', publishRoute(context, guard));
  app.route('/', documentationRoutes(context, guard));
  app.route('/', yankRoutes(context, guard));
  app.route('/', ownerRoutes(context, { authenticator, guard }));
  app.route('/', crateSettingsRoute(context, guard));
  const sources = new CrateSources(context);
  const descriptions = new MirroredDescriptions({ context, sources });
  app.route('/', searchRoute(context, { authenticator, descriptions }));
  app.route('/', accountRoute(context, authenticator));
  app.route('/', trustedPublishingRoutes(context, authenticator));
  app.route('/', downloadRoutes(context, { authenticator, downloads, upstreamLimit }));
  app.route('/', crateRoutes(context, authenticator));
  app.route('/', versionRoutes(context, { authenticator, renderReadme: readmeRenderer(context) }));
  app.route('/', tagRoutes(context, authenticator));
  app.route('/', registryRoutes(context, authenticator));
  app.route('/', badgeRoutes(context, authenticator));
  // After the routes: only methods without a route get here.
  for (const [path, methods] of allowedMethods()) {
    app.all(path, (c) =>
      respondWithError(c, new ApiError(405, `only ${methods} are allowed here`, { Allow: methods })),
    );
  }
  // The last one: it also responds to browsers at unknown paths.
  app.route('/', pagesApp(context, health, sources));
  return {
    fetch: app.fetch,
    metrics: metricsApp.fetch,
    downloads,
    routes: app.routes,
    startDraining() {
      isStopping = true;
    },
  };
}

function readmeRenderer(context: ServerContext): RenderReadme {
  const readmes = new Readmes(context);
  return async (markdown, origin) => withTextSigns(await readmes.render(markdown, origin)).text;
}
