import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../core/errors/error.ts';
import { createApp, type ServerApp } from './app.ts';
import { type BackgroundWork, startBackgroundWork } from './background-work.ts';
import { type CheckedOptions, checkOptions } from './check-options.ts';
import { formatAddress, listen, type ListenAddress, type Listener } from './http/listen.ts';
import { openStore } from './admin/open-store.ts';
import type { Log } from './shared/log.ts';
import type { StartOptions } from './start-options.ts';
import { externalDeliveryOf } from './external-delivery.ts';
import { StaticIndexPublisher } from './static/static-index-publisher.ts';
import { openUpstream } from './open-upstream.ts';
import { AdvisoryDatabase } from './publish/advisories/advisory-database.ts';
import type { Upstream } from './upstream/upstream.ts';
import { reasonOf } from './shared/reason-of.ts';
import type { Blobs } from './store/blobs.ts';

/** A running server. */
export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** The `index` of the registry in a configuration: `sparse+http://…/index/`. */
  readonly indexUrl: string;
  /** The same for the static files; null if there are none. */
  readonly staticIndexUrl: string | null;
  /** URL of `/metrics` if it has a separate listener; otherwise null. */
  readonly metricsUrl: string | null;
  /**
   * Keeps serving for the time of `--drain`, lets requests in progress finish for up to 30 seconds, and closes
   * everything. Must be called only once.
   */
  stop(): Promise<void>;
}

/** The open parts of a server. Each is set as soon as it is open, so that `closeParts` can close it after a failure. */
interface ServerParts {
  readonly listener: Listener;
  readonly metricsListener: Listener | null;
  closeStore?: () => Promise<void>;
  staticIndex?: StaticIndexPublisher;
  advisories?: AdvisoryDatabase;
  upstream?: Upstream;
  backgroundWork?: BackgroundWork;
}

/** How long requests in progress may take once the server stops. */
const STOP_GRACE_MS = 30_000;
/** How many addresses together can use all connections. */
const CLIENTS_THAT_FILL = 8;
/** Maximum connections of the separate listener for `/metrics`. */
const METRICS_CONNECTIONS = 64;
const METRICS_ADVICE = 'pass `--metrics-listen HOST:PORT` to use another address';
/** How often outdated static files are looked for, such as those of changes by other processes. */
const CATCH_UP_EVERY_MS = 5_000;

/**
 * Opens the store, listens and serves. Throws if an option is invalid, or the store or the address is not available.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const checked = await checkOptions(options);
  // Listens before it opens the store: nothing is created if the address is in use. Requests wait meanwhile.
  const listener = await listenForClients(checked, options.limits.maxConnections);
  const metricsListener =
    checked.metricsAddress === null ? null : await listenForMetrics(checked.metricsAddress, listener);
  const parts: ServerParts = { listener, metricsListener };
  try {
    return await serve(parts, checked, options);
  } catch (error) {
    await closeParts(parts, { graceMs: 0 });
    throw error;
  }
}

/** Opens everything behind the listeners, adds it to `parts`, and lets the listeners serve. */
async function serve(
  parts: ServerParts,
  checked: CheckedOptions,
  options: StartOptions,
): Promise<RunningServer> {
  const { listener, metricsListener } = parts;
  const { http, clock, log } = options;
  const { records, blobs, close } = await openStore(options.location, options.env);
  parts.closeStore = close;
  const scheme = checked.tls === null ? 'http' : 'https';
  const baseUrl = checked.baseUrl ?? `${scheme}://${formatAddress(listener.address)}`;
  await checkStorage(blobs, log);
  const { authRequired, delivery } = options;
  const { redirectsDownloads, staticUrl, files } = externalDeliveryOf({ ...delivery, authRequired }, blobs);
  const settings = {
    ...checked.settings,
    baseUrl,
    metrics: { token: checked.metricsToken, hasOwnListener: metricsListener !== null },
    redirectsDownloads,
    ...(staticUrl === null ? {} : { staticUrl }),
  };
  if (files !== null) {
    parts.staticIndex = new StaticIndexPublisher({ records, clock, log, files });
    parts.staticIndex.start({ staticUrl, baseUrl }, CATCH_UP_EVERY_MS);
  }
  const context = { records, blobs, settings, http, clock, log };
  await options.prepare?.(context);
  if (options.advisoriesPath !== null) {
    parts.advisories = await AdvisoryDatabase.open(options.advisoriesPath, { clock, log });
  }
  const { advisories, staticIndex } = parts;
  const optional = {
    ...(advisories === undefined ? {} : { advisories }),
    ...(staticIndex === undefined ? {} : { staticIndex }),
  };
  if (options.upstream !== null) parts.upstream = openUpstream({ ...context, ...optional }, options.upstream);
  const { upstream = null } = parts;
  const app = createApp({ ...context, ...optional, upstream });
  listener.serve(app.fetch);
  metricsListener?.serve(app.metrics);
  parts.backgroundWork = startBackgroundWork(app.downloads, { records, log });
  const metricsUrl =
    metricsListener === null ? null : `http://${formatAddress(metricsListener.address)}/metrics`;
  log.info('started', {
    address: formatAddress(listener.address),
    url: baseUrl,
    ...(metricsUrl === null ? {} : { metrics: metricsUrl }),
    ...(records.sqlite === undefined ? {} : { sqlite: records.sqlite }),
  });
  return {
    url: baseUrl,
    indexUrl: `sparse+${baseUrl}/index/`,
    metricsUrl,
    staticIndexUrl: staticUrl === null ? null : `sparse+${staticUrl}/index/`,
    stop: () => stopServer(parts, app, options),
  };
}

/** Lets load balancers notice for the time of `--drain`, then closes everything. */
async function stopServer(parts: ServerParts, app: ServerApp, options: StartOptions): Promise<void> {
  const { log, monitoring } = options;
  log.info('stopping');
  app.startDraining();
  await sleep(monitoring.drainMs);
  await closeParts(parts, { graceMs: STOP_GRACE_MS });
  log.info('stopped');
}

/**
 * Closes the open parts, the listeners first and the store, which the others use, last. Cuts off requests that still
 * run after `graceMs`.
 */
async function closeParts(parts: ServerParts, { graceMs }: { readonly graceMs: number }): Promise<void> {
  await parts.listener.stop(graceMs);
  await parts.metricsListener?.stop(0);
  await parts.upstream?.close();
  await parts.advisories?.close();
  await parts.backgroundWork?.stop();
  await parts.staticIndex?.stop();
  await parts.closeStore?.();
}

function listenForClients(
  { address, tls, settings }: CheckedOptions,
  maxConnections: number,
): Promise<Listener> {
  const connections = {
    max: maxConnections,
    maxOfClient: Math.ceil(maxConnections / CLIENTS_THAT_FILL),
    isProxy: (client: string) => settings.trustedProxies.has(client),
  };
  return listen({ address, tls, connections });
}

/** Listens for `/metrics`. If that fails, closes the registry's listener and throws. */
async function listenForMetrics(address: ListenAddress, registry: Listener): Promise<Listener> {
  const connections = { max: METRICS_CONNECTIONS, maxOfClient: METRICS_CONNECTIONS, isProxy: () => false };
  try {
    return await listen({ address, tls: null, connections, advice: METRICS_ADVICE });
  } catch (error) {
    await registry.stop(0);
    throw error;
  }
}

/**
 * Throws if the store refuses access. If it does not respond, requests that need no files can be served until it does.
 */
async function checkStorage(blobs: Blobs, log: Log): Promise<void> {
  try {
    await blobs.ping();
  } catch (error) {
    if (!(error instanceof TsregError) || error.code !== 'network') throw error;
    log.warning('storage-away', { reason: reasonOf(error) });
  }
}
