/** For those who watch over the server. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import { reasonOf } from '../reason-of.ts';

/** What the routes are made of beside the context. */
export interface HealthServices {
  /** True once the server is to end, and nothing more is to be sent to it. */
  readonly isStopping: () => boolean;
}

/** How long a part may take to say that it works: longer than that no balancer waits. */
const MAX_PING_MS = 3_000;

/**
 * `/livez`: 200 as long as the process answers. `/readyz`, and `/healthz` as another name: 200 if requests are to be
 * sent here, else 503 with the parts that do not work; an upstream that is away does no harm to what is kept.
 */
export function healthRoutes(
  { records, blobs, upstream, log }: ServerContext,
  { isStopping }: HealthServices,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const headers = { 'Cache-Control': 'no-store' };

  async function works(part: string, ping: () => Promise<void>): Promise<boolean> {
    try {
      await within(MAX_PING_MS, ping());
      return true;
    } catch (error) {
      log.error('unhealthy', { part, reason: reasonOf(error) });
      return false;
    }
  }

  let looking: Promise<readonly [boolean, boolean]> | null = null;

  /** However many ask at once, database and store are asked once: they are asked by writing. */
  async function look(): Promise<readonly [boolean, boolean]> {
    looking ??= Promise.all([
      works('records', () => records.ping()),
      works('files', () => blobs.ping()),
    ]).finally(() => {
      looking = null;
    });
    return await looking;
  }

  async function answerReady(c: HttpContext): Promise<Response> {
    if (isStopping()) return c.json({ status: 'stopping' }, 503, headers);
    const [hasRecords, hasFiles] = await look();
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
  app.get('/readyz', answerReady);
  app.get('/healthz', answerReady);
  return app;
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), timeoutMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
