/** For those who watch over the server. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { Blobs, ServedRecords } from '../store.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import type { Gauge, Metrics } from './metrics.ts';
import { reasonOf } from '../reason-of.ts';

/** What the routes are made of beside the context. */
export interface HealthServices {
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
  /** True once the server is to end, and nothing more is to be sent to it. */
  readonly isStopping: () => boolean;
}

/** How long a part may take to say that it works: longer than that no balancer waits. */
const MAX_PING_MS = 3_000;

/**
 * `/livez`: 200 as long as the process answers. `/readyz`, and `/healthz` as another name: 200 if requests are to be
 * sent here, else 503 with the parts that do not work; an upstream that is away does no harm to what is kept. `/metrics`:
 * counts in the text form of Prometheus.
 */
export function healthRoutes(
  { records, blobs, upstream, log }: ServerContext,
  { authenticator, metrics, isStopping }: HealthServices,
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
  app.get('/metrics', async (c) => {
    await authenticator.requireReader(c);
    const { crates, versions, downloads, users } = await records.count();
    const { rss } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const startedSeconds = performance.timeOrigin / 1000;
    const text = metrics.render([
      { name: 'tsreg_crates', help: 'Crates in the registry.', kind: 'gauge', value: crates },
      { name: 'tsreg_versions', help: 'Versions in the registry.', kind: 'gauge', value: versions },
      { name: 'tsreg_users', help: 'Users of the registry.', kind: 'gauge', value: users },
      {
        name: 'tsreg_downloads_total',
        help: 'Downloads of all versions, a few seconds old.',
        kind: 'counter',
        value: downloads,
      },
      { name: 'process_resident_memory_bytes', help: 'Memory in use.', kind: 'gauge', value: rss },
      {
        name: 'process_cpu_seconds_total',
        help: 'Processor time used.',
        kind: 'counter',
        value: (user + system) / 1e6,
      },
      {
        name: 'process_start_time_seconds',
        help: 'When the server was started.',
        kind: 'gauge',
        value: startedSeconds,
      },
      ...databaseGauges(records),
      ...storageGauges(blobs),
      ...(upstream?.gauges() ?? []),
    ]);
    return c.body(text, 200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  });
  return app;
}

function storageGauges({ figures }: Blobs): readonly Gauge[] {
  if (figures === undefined) return [];
  const { requests, repeats, failures } = figures();
  const counter = (name: string, help: string, value: number): Gauge => ({
    ...{ name: `tsreg_storage_${name}_total`, help, kind: 'counter', value },
  });
  return [
    counter('requests', 'Requests to the object store.', requests),
    counter('repeats', 'Requests to the object store that were sent again after a failure.', repeats),
    counter('failures', 'Requests to the object store that were given up.', failures),
  ];
}

function databaseGauges({ figures }: ServedRecords): readonly Gauge[] {
  if (figures === undefined) return [];
  const { maxConnections, inUse, waiting, repeats, failures } = figures();
  const figure = (name: string, help: string, value: number): Gauge => ({
    ...{ name: `tsreg_database_${name}`, help, value },
    kind: name.endsWith('_total') ? 'counter' : 'gauge',
  });
  return [
    figure('connections_max', 'Connections to the database that may be used at a time.', maxConnections),
    figure('connections_in_use', 'Connections to the database that are used right now.', inUse),
    figure('waiting', 'Requests that wait for a connection to the database.', waiting),
    figure('repeats_total', 'Transactions that were begun again after a failure.', repeats),
    figure('failures_total', 'Transactions that were given up.', failures),
  ];
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs);
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
