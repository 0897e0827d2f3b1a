/** Metrics for Prometheus. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { ServedRecords } from '../store/store.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpContext, HttpEnv } from './http-env.ts';
import type { Metric, Metrics } from '../shared/metrics.ts';
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

  async function requireAccess(c: HttpContext): Promise<void> {
    if (token === null) {
      if (!hasOwnListener) await authenticator.requireReader(c);
      return;
    }
    const sentToken = /^Bearer\s+(.*)$/i.exec(c.req.header('authorization') ?? '')?.[1]?.trim() ?? '';
    if (isSame(sentToken, token)) return;
    throw new ApiError(401, 'this requires the token for metrics', { 'WWW-Authenticate': 'Bearer' });
  }

  const app = new Hono<HttpEnv>();
  app.get('/metrics', async (c) => {
    await requireAccess(c);
    const { crates, versions, downloads, users } = await records.count();
    const text = metrics.render([
      { name: 'tsreg_crates', help: 'Crates in the registry.', value: crates },
      { name: 'tsreg_versions', help: 'Versions in the registry.', value: versions },
      { name: 'tsreg_users', help: 'Users of the registry.', value: users },
      {
        name: 'tsreg_downloads_total',
        help: 'Downloads of all versions, a few seconds old.',
        value: downloads,
      },
      ...processMetrics(),
      ...databaseMetrics(records),
      ...storageMetrics(blobs),
      ...(upstream?.metrics() ?? []),
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

function processMetrics(): readonly Metric[] {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    { name: 'process_resident_memory_bytes', help: 'Memory in use.', value: rss },
    { name: 'process_cpu_seconds_total', help: 'Processor time used.', value: (user + system) / 1e6 },
    {
      name: 'process_start_time_seconds',
      help: 'When the server was started.',
      value: performance.timeOrigin / 1000,
    },
  ];
}

function storageMetrics({ figures }: Blobs): readonly Metric[] {
  if (figures === undefined) return [];
  const { requests, repeats, failures } = figures();
  return [
    { name: 'tsreg_storage_requests_total', help: 'Requests to the object store.', value: requests },
    {
      name: 'tsreg_storage_repeats_total',
      help: 'Requests to the object store that were repeated after a failure.',
      value: repeats,
    },
    {
      name: 'tsreg_storage_failures_total',
      help: 'Requests to the object store that failed.',
      value: failures,
    },
  ];
}

function databaseMetrics({ figures }: ServedRecords): readonly Metric[] {
  if (figures === undefined) return [];
  const { maxConnections, inUse, waiting, repeats, failures } = figures();
  return [
    {
      name: 'tsreg_database_connections_max',
      help: 'Most connections to the database at a time.',
      value: maxConnections,
    },
    { name: 'tsreg_database_connections_in_use', help: 'Connections to the database in use.', value: inUse },
    {
      name: 'tsreg_database_waiting',
      help: 'Requests that wait for a connection to the database.',
      value: waiting,
    },
    {
      name: 'tsreg_database_repeats_total',
      help: 'Transactions that were repeated after a failure.',
      value: repeats,
    },
    { name: 'tsreg_database_failures_total', help: 'Transactions that failed.', value: failures },
  ];
}
