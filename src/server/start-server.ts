import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { TsregError, withContextAsync } from '../core/errors/error.ts';
import { createApp } from './app.ts';
import {
  formatAddress,
  listen,
  type ListenAddress,
  type Listener,
  parseListenAddress,
} from './http/listen.ts';
import { TrustedProxies } from './shared/trusted-proxies.ts';
import { openStore } from './admin/open-store.ts';
import type { Log } from './shared/log.ts';
import { parseDependencyRegistry } from './publish/dependency-registries.ts';
import type { ServerLimits } from './server-context.ts';
import type { StartOptions } from './start-options.ts';
import { externalDeliveryOf } from './external-delivery.ts';
import { StaticIndexPublisher } from './static/static-index-publisher.ts';
import { openUpstream } from './open-upstream.ts';
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

const MB = 1024 * 1024;
/** Limits that have no option. */
const FIXED_LIMITS: Omit<ServerLimits, 'maxCrateBytes' | 'changesPerMinute'> = {
  maxMetadataBytes: MB,
  maxUnpackedBytes: 512 * MB,
  maxFiles: 50_000,
  refusalsPerMinute: 60,
};

/**
 * Opens the store, listens and serves. Throws if an option is invalid, or the store or the address is not available.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { location, env, authRequired, strict, maxCrateBytes, changesPerMinute, clock, log } = options;
  const dependencyRegistries = options.dependencyRegistries.map(parseDependencyRegistry);
  const limits = { ...FIXED_LIMITS, maxCrateBytes, changesPerMinute };
  const wanted = parseListenAddress(options.listen);
  const givenUrl = options.baseUrl === null ? null : parseBaseUrl(options.baseUrl);
  if (givenUrl === null && isEveryAddress(wanted)) {
    throw new TsregError(
      `\`--listen ${options.listen}\` needs \`--base-url\`: it is the address under which clients reach the server`,
      { code: 'usage' },
    );
  }
  const trustedProxies = new TrustedProxies(options.trustedProxies);
  const tls = options.tls === null ? null : await readTls(options.tls);
  const metricsToken =
    options.metricsTokenPath === null ? null : await readMetricsToken(options.metricsTokenPath);
  const metricsAddress = options.metricsListen === null ? null : parseListenAddress(options.metricsListen);
  // Listens before it opens the store: nothing is created if the address is in use. Requests wait meanwhile.
  const connections = {
    max: options.maxConnections,
    maxOfClient: Math.ceil(options.maxConnections / CLIENTS_THAT_FILL),
    isProxy: (address: string) => trustedProxies.has(address),
  };
  const listener = await listen({ address: wanted, tls, connections });
  const metricsListener = metricsAddress === null ? null : await listenForMetrics(metricsAddress, listener);
  let close = async (): Promise<void> => undefined;
  let upstream: Upstream | null = null;
  let staticIndex: StaticIndexPublisher | null = null;
  try {
    const { records, blobs, ...store } = await openStore(location, env);
    ({ close } = store);
    const scheme = tls === null ? 'http' : 'https';
    const baseUrl = givenUrl ?? `${scheme}://${formatAddress(listener.address)}`;
    await checkStorage(blobs, log);
    const delivery = externalDeliveryOf(options, blobs);
    const settings = {
      ...{ baseUrl, authRequired, strict, trustedProxies, limits },
      metrics: { token: metricsToken, hasOwnListener: metricsListener !== null },
      dependencyRegistries,
      ...delivery.settings,
    };
    if (delivery.files !== null) {
      staticIndex = new StaticIndexPublisher({ ...{ records, clock, log }, files: delivery.files });
      staticIndex.start({ staticUrl: delivery.staticUrl, baseUrl }, CATCH_UP_EVERY_MS);
    }
    const own = {
      ...{ records, blobs, settings, http: options.http, clock, log },
      ...(staticIndex === null ? {} : { staticIndex }),
    };
    upstream = options.upstream === null ? null : openUpstream(own, options.upstream);
    const app = createApp({ ...own, upstream });
    listener.serve(app.fetch);
    metricsListener?.serve(app.metrics);
    app.downloads.start(COUNT_DOWNLOADS_EVERY_MS);
    const ranking = setInterval(() => {
      records.rankCrates().catch((error: unknown) => {
        log.warning('crates-not-ranked', { reason: reasonOf(error) });
      });
    }, RANK_CRATES_EVERY_MS).unref();
    const metricsUrl =
      metricsListener === null ? null : `http://${formatAddress(metricsListener.address)}/metrics`;
    log.info('started', {
      ...{ address: formatAddress(listener.address), url: baseUrl },
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

async function readMetricsToken(path: string): Promise<string> {
  const text = await withContextAsync(`failed to read \`${path}\``, () => readFile(path, 'utf8'));
  const token = text.trim();
  if (/^[\x21-\x7e]{16,1024}$/.test(token)) return token;
  throw new TsregError(`\`${path}\` is not a token: expected one line of 16 or more visible characters`, {
    code: 'usage',
  });
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

function isEveryAddress({ host }: ListenAddress): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Returns the origin of a base URL. Throws `usage` for a path, query or user: pages use paths from the root. */
function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new TsregError(
    `\`--base-url ${text}\` is not the address of a server: expected \`https://HOST\` or \`https://HOST:PORT\``,
    { code: 'usage' },
  );
}

async function readTls({ certificatePath, keyPath }: NonNullable<StartOptions['tls']>): Promise<{
  readonly certificate: string;
  readonly key: string;
}> {
  const read = (path: string): Promise<string> =>
    withContextAsync(`failed to read \`${path}\``, () => readFile(path, 'utf8'));
  const pair = { certificate: await read(certificatePath), key: await read(keyPath) };
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key });
  } catch (error) {
    throw new TsregError(`\`${certificatePath}\` and \`${keyPath}\` cannot be used for TLS`, {
      cause: new TsregError(error instanceof Error ? error.message : String(error), { code: 'config' }),
    });
  }
  return pair;
}
