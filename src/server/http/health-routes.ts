/** For those who watch over the server. */
import { Hono } from 'hono';
import type { ServerContext } from '../server-context.ts';
import type { Blobs } from '../store.ts';
import type { Authenticator } from './authenticate.ts';
import type { HttpEnv } from './http-env.ts';
import type { Gauge, Metrics } from './metrics.ts';

/** What the routes are made of beside the context. */
export interface HealthServices {
  readonly authenticator: Authenticator;
  readonly metrics: Metrics;
}

/** `/healthz`: 200 if the store works, else 503; an upstream that is away does no harm to what is kept. `/metrics`: counts in the text form of Prometheus. */
export function healthRoutes(
  { records, blobs, upstream, log }: ServerContext,
  { authenticator, metrics }: HealthServices,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/healthz', async (c) => {
    try {
      await Promise.all([records.ping(), blobs.ping()]);
      const parts = upstream === null ? {} : { upstream: upstream.state };
      return c.json({ status: 'ok', ...parts }, 200, { 'Cache-Control': 'no-store' });
    } catch (error) {
      log.error('unhealthy', { reason: error instanceof Error ? error.message : String(error) });
      return c.json({ status: 'failing' }, 503, { 'Cache-Control': 'no-store' });
    }
  });
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
