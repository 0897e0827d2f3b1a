/** Health checks. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import { reasonOf } from '../shared/reason-of.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { withinTime } from '../shared/within-time.ts';

/** Services of the health routes, besides the context. */
export interface HealthServices {
  /** Returns true once the server is stopping and must get no more requests. */
  readonly isStopping: () => boolean;
}

/** Time for a backend to respond to a check. No load balancer waits longer. */
const MAX_PING_MS = 3_000;

/**
 * Returns the health routes. `/livez` responds with 200 while the process runs. `/readyz`, and its alias `/healthz`,
 * respond with 200 if this server may get requests, else with 503 and the failed backends. A failed upstream does not
 * count, since cached crates still work.
 */
export function healthRoutes(
  { records, blobs, upstream, log }: ServerContext,
  { isStopping }: HealthServices,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const headers = { 'Cache-Control': 'no-store' };

  async function responds(part: string, ping: () => Promise<void>): Promise<boolean> {
    try {
      await withinTime(ping(), { timeoutMs: MAX_PING_MS, tooLate: () => new Error('no response in time') });
      return true;
    } catch (error) {
      log.error('unhealthy', { part, reason: reasonOf(error) });
      return false;
    }
  }

  /** One check for all concurrent requests, because each check writes. */
  const checks = new SingleFlight<readonly [hasRecords: boolean, hasFiles: boolean]>();

  async function respondWithReadiness(c: HttpContext): Promise<Response> {
    if (isStopping()) return c.json({ status: 'stopping' }, 503, headers);
    const [hasRecords, hasFiles] = await checks.run('all', () =>
      Promise.all([responds('records', () => records.ping()), responds('files', () => blobs.ping())]),
    );
    if (hasRecords && hasFiles) {
      const parts = {
        ...(records.sqlite === undefined ? {} : { sqlite: records.sqlite }),
        ...(upstream === null ? {} : { upstream: upstream.state }),
      };
      return c.json({ status: 'ok', ...parts }, 200, headers);
    }
    const failing = [...(hasRecords ? [] : ['records']), ...(hasFiles ? [] : ['files'])];
    return c.json({ status: 'failing', failing }, 503, headers);
  }

  app.get('/livez', (c) => c.json({ status: 'ok' }, 200, headers));
  app.get('/readyz', respondWithReadiness);
  app.get('/healthz', respondWithReadiness);
  return app;
}
