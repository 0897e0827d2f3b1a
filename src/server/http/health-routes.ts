/** Health checks. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { HealthCheck } from './health-check.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';

/** Services of the health routes, besides the context. */
export interface HealthServices {
  readonly health: HealthCheck;
  /** Returns true once the server is stopping and must get no more requests. */
  readonly isStopping: () => boolean;
}

/**
 * Returns the health routes. `/livez` responds with 200 while the process runs. `/readyz`, and its alias `/healthz`,
 * respond with 200 if this server may get requests, else with 503 and the failed backends. A failed upstream does not
 * count, since cached crates still work.
 */
export function healthRoutes(
  { records, upstream }: ServerContext,
  { health, isStopping }: HealthServices,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const headers = { 'Cache-Control': 'no-store' };

  async function respondWithReadiness(c: HttpContext): Promise<Response> {
    if (isStopping()) return c.json({ status: 'stopping' }, 503, headers);
    const failing = await health.findFailing();
    if (failing.length > 0) return c.json({ status: 'failing', failing }, 503, headers);
    const parts = {
      ...(records.sqlite === undefined ? {} : { sqlite: records.sqlite }),
      ...(upstream === null ? {} : { upstream: upstream.state }),
    };
    return c.json({ status: 'ok', ...parts }, 200, headers);
  }

  app.get('/livez', (c) => c.json({ status: 'ok' }, 200, headers));
  app.get('/readyz', respondWithReadiness);
  app.get('/healthz', respondWithReadiness);
  return app;
}
