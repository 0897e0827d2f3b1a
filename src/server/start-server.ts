import { setTimeout as sleep } from 'node:timers/promises';
import { TsregError } from '../core/errors/error.ts';
import { createApp } from './app.ts';
import { checkOptions } from './check-options.ts';
import { formatAddress, listen, type ListenAddress, type Listener } from './http/listen.ts';
import { openStore } from './admin/open-store.ts';
import type { Log } from './shared/log.ts';
import type { StartOptions } from './start-options.ts';
import { externalDeliveryOf } from './external-delivery.ts';
import { StaticIndexPublisher } from './static/static-index-publisher.ts';
import { openUpstream } from './open-upstream.ts';
import type { Upstream } from './upstream/upstream.ts';
import { reasonOf } from './shared/reason-of.ts';
import type { Blobs } from './store/blobs.ts';
import type { Records } from './store/store.ts';

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
  /** Lets requests in progress finish, and closes everything. */
  stop(): Promise<void>;
}

/** How long requests in progress may take once the server stops. */
const STOP_GRACE_MS = 30_000;
/** How many addresses together can use all connections. */
const CLIENTS_THAT_FILL = 8;
const METRICS_CONNECTIONS = 64;
const COUNT_DOWNLOADS_EVERY_MS = 5_000;
const CATCH_UP_EVERY_MS = 5_000;
const RANK_CRATES_EVERY_MS = 5 * 60_000;

/**
 * Opens the store, listens and serves. Throws if an option is invalid, or the store or the address is not available.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { clock, log } = options;
  const checked = await checkOptions(options);
  const { trustedProxies } = checked.settings;
  // Listens before it opens the store: nothing is created if the address is in use. Requests wait meanwhile.
  const connections = {
    max: options.maxConnections,
    maxOfClient: Math.ceil(options.maxConnections / CLIENTS_THAT_FILL),
    isProxy: (address: string) => trustedProxies.has(address),
  };
  const listener = await listen({ address: checked.address, tls: checked.tls, connections });
  const metricsListener =
    checked.metricsAddress === null ? null : await listenForMetrics(checked.metricsAddress, listener);
  let close = async (): Promise<void> => undefined;
  let upstream: Upstream | null = null;
  let staticIndex: StaticIndexPublisher | null = null;
  try {
    const { records, blobs, ...store } = await openStore(options.location, options.env);
    ({ close } = store);
    const scheme = checked.tls === null ? 'http' : 'https';
    const baseUrl = checked.baseUrl ?? `${scheme}://${formatAddress(listener.address)}`;
    await checkStorage(blobs, log);
    const delivery = externalDeliveryOf(options, blobs);
    const settings = {
      ...checked.settings,
      baseUrl,
      metrics: { token: checked.metricsToken, hasOwnListener: metricsListener !== null },
      ...delivery.settings,
    };
    if (delivery.files !== null) {
      staticIndex = new StaticIndexPublisher({ records, clock, log, files: delivery.files });
      staticIndex.start({ staticUrl: delivery.staticUrl, baseUrl }, CATCH_UP_EVERY_MS);
    }
    const own = {
      records,
      blobs,
      settings,
      http: options.http,
      clock,
      log,
      ...(staticIndex === null ? {} : { staticIndex }),
    };
    upstream = options.upstream === null ? null : openUpstream(own, options.upstream);
    const app = createApp({ ...own, upstream });
    listener.serve(app.fetch);
    metricsListener?.serve(app.metrics);
    app.downloads.start(COUNT_DOWNLOADS_EVERY_MS);
    const ranking = startRanking(records, log);
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
      staticIndexUrl: delivery.files === null ? null : `sparse+${delivery.staticUrl}/index/`,
      async stop() {
        log.info('stopping');
        app.startDraining();
        await sleep(options.drainMs);
        await listener.stop(STOP_GRACE_MS);
        await metricsListener?.stop(0);
        await upstream?.close();
        clearInterval(ranking);
        await app.downloads.stop();
        await staticIndex?.stop();
        await close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await listener.stop(0);
    await metricsListener?.stop(0);
    await upstream?.close();
    await staticIndex?.stop();
    await close();
    throw error;
  }
}

function startRanking(records: Records, log: Log): NodeJS.Timeout {
  return setInterval(() => {
    records.rankCrates().catch((error: unknown) => {
      log.warning('crates-not-ranked', { reason: reasonOf(error) });
    });
  }, RANK_CRATES_EVERY_MS).unref();
}

/** Listens for `/metrics`. If that fails, closes the registry's listener and throws. */
async function listenForMetrics(address: ListenAddress, registry: Listener): Promise<Listener> {
  const connections = { max: METRICS_CONNECTIONS, maxOfClient: METRICS_CONNECTIONS, isProxy: () => false };
  try {
    return await listen({ address, tls: null, connections, flag: '--metrics-listen' });
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
