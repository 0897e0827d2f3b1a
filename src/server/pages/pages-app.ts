import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { TsregError } from '../../core/errors/error.ts';
import { ApiError } from '../http/api-error.ts';
import { isDiskFullError } from '../shared/full-disk.ts';
import type { HttpContext, HttpEnv } from '../http/http-env.ts';
import { PasswordsBusy } from '../auth/key-threads.ts';
import { NoLongerAllowed } from '../records/authorize.ts';
import { ReadOnlyRecords } from '../records/read-only.ts';
import type { ServerContext } from '../server-context.ts';
import { accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { adminUserRoutes } from './admin-user-routes.ts';
import { makeAssets } from './assets.ts';
import { crateRoutes } from './crate-routes.ts';
import {
  AWAY,
  BROKEN,
  BUSY,
  FORM_TOO_LARGE,
  FORM_TOO_SLOW,
  FULL,
  NO_LONGER_ALLOWED,
  NOT_FOUND,
  READ_ONLY,
  type ErrorView,
} from './error-page.ts';
import { homeRoutes } from './home-routes.ts';
import { publisherRoutes } from './publisher-routes.ts';
import { Sessions } from './sessions.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { PageError, PageHandlers } from './page-handlers.ts';

/**
 * Returns the app for `/`, `/crates/…`, `/me`, `/sign-in`, `/sign-out`, `/admin/…` and `/assets/…`. It must be mounted
 * last: it also returns an error page to browsers for unknown paths.
 */
export function pagesApp(context: ServerContext): Hono<HttpEnv> {
  const services = { context, sessions: new Sessions(context), assets: makeAssets() };
  const handlers = new PageHandlers(services);
  const app = new Hono<HttpEnv>();
  // Form proofs differ each time, so that nobody can guess them from compressed lengths.
  app.use(compress({ encoding: 'gzip' }));
  app.onError((error, c) => {
    const view = viewOf(error);
    if (view === BROKEN || view === AWAY || view === FULL) {
      const id = c.get('requestId') ?? null;
      context.log.error('page-failed', { id, reason: error.message, stack: error.stack ?? null });
    }
    return handlers.refuse(c, view);
  });
  const parts = [
    ...[homeRoutes, crateRoutes, signInRoutes, accountRoutes],
    ...[adminRoutes, adminUserRoutes, publisherRoutes],
  ];
  for (const routes of parts) app.route('/', routes(services, handlers));
  app.all('*', (c, next) => (isForPage(c) ? handlers.refuse(c, NOT_FOUND) : next()));
  return app;
}

function viewOf(error: Error): ErrorView {
  if (error instanceof PageError) return error.view;
  if (error instanceof ApiError && error.status === 413) return FORM_TOO_LARGE;
  if (error instanceof ApiError && error.status === 408) return FORM_TOO_SLOW;
  if (error instanceof ReadOnlyRecords) return READ_ONLY;
  if (error instanceof NoLongerAllowed) return NO_LONGER_ALLOWED;
  if (error instanceof PasswordsBusy) return BUSY;
  if (error instanceof TsregError && error.code === 'network') return AWAY;
  return isDiskFullError(error) ? FULL : BROKEN;
}

/** Returns true if the client accepts HTML; others get responses of the web API. */
function isForPage(c: HttpContext): boolean {
  return c.req.header('accept')?.includes('text/html') === true;
}
