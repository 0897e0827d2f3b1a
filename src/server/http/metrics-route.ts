/** Metrics for Prometheus. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { ServedRecords } from '../store/store.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import type { Gauge, Metrics } from '../shared/metrics.ts';
import type { Blobs } from '../store/blobs.ts';

/** Services of the metrics route, besides the context. */
export interface MetricsServices {
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
}

/**
 * Returns the route `/metrics`: metrics in the text format of Prometheus. It requires the token for metrics if one is
 * set. Otherwise it is open to everyone on a separate listener, and to readers of the registry on the registry's
 * listener.
 */
export function metricsRoute(
  { records, blobs, upstream, settings }: ServerContext,
  { authenticator, metrics }: MetricsServices,
): Hono<HttpEnv> {
  const { token, hasOwnListener } = settings.metrics ?? { token: null, hasOwnListener: false };

  async function admit(c: HttpContext): Promise<void> {
    if (token === null) {
      if (!hasOwnListener) await authenticator.requireReader(c);
      return;
    }
    const given = /^Bearer\s+(.*)$/i.exec(c.req.header('authorization') ?? '')?.[1]?.trim() ?? '';
    if (isSame(given, token)) return;
    throw new ApiError(401, 'this requires the token for metrics', { 'WWW-Authenticate': 'Bearer' });
  }

  const app = new Hono<HttpEnv>();
  app.get('/metrics', async (c) => {
    await admit(c);
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

/** Compares two texts in a time that does not reveal where they differ. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

function storageGauges({ figures }: Blobs): readonly Gauge[] {
  if (figures === undefined) return [];
  const { requests, repeats, failures } = figures();
  const counter = (name: string, help: string, value: number): Gauge => ({
    name: `tsreg_storage_${name}_total`,
    help,
    kind: 'counter',
    value,
  });
  return [
    counter('requests', 'Requests to the object store.', requests),
    counter('repeats', 'Requests to the object store that were repeated after a failure.', repeats),
    counter('failures', 'Requests to the object store that failed.', failures),
  ];
}

function databaseGauges({ figures }: ServedRecords): readonly Gauge[] {
  if (figures === undefined) return [];
  const { maxConnections, inUse, waiting, repeats, failures } = figures();
  const figure = (name: string, help: string, value: number): Gauge => ({
    name: `tsreg_database_${name}`,
    help,
    value,
    kind: name.endsWith('_total') ? 'counter' : 'gauge',
  });
  return [
    figure('connections_max', 'Most connections to the database at a time.', maxConnections),
    figure('connections_in_use', 'Connections to the database in use.', inUse),
    figure('waiting', 'Requests that wait for a connection to the database.', waiting),
    figure('repeats_total', 'Transactions that were repeated after a failure.', repeats),
    figure('failures_total', 'Transactions that failed.', failures),
  ];
}
