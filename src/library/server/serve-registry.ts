/** The server of a registry: `tsreg serve` without its flags, its configuration and its log on stderr. */
import { resolve } from 'node:path';
import { Config } from '../../io/config/config.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { TsregError } from '../../core/errors/error.ts';
import { reportTo } from '../../core/report/report.ts';
import { serverOptions } from '../../commands/serve/server-options.ts';
import { openStore } from '../../server/admin/open-store.ts';
import { folderLocation } from '../../server/admin/store-location.ts';
import { createApp } from '../../server/app.ts';
import { startBackgroundWork } from '../../server/background-work.ts';
import { checkOptions as checkServerOptions } from '../../server/check-options.ts';
import { makeTemporaryFolder } from '../../server/demo/temporary-folder.ts';
import type { FetchHandler } from '../../server/http/listen.ts';
import type { OutgoingHttp } from '../../server/shared/outgoing-http.ts';
import type { ServerSettings } from '../../server/server-context.ts';
import type { Clock } from '../../server/shared/clock.ts';
import type { Log } from '../../server/shared/log.ts';
import type { Store } from '../../server/store/store.ts';
import { checkOptions, optional, type OptionChecks, required, TEXT } from '../option-checks.ts';
import { callerLog } from './caller-log.ts';
import { createToken } from './create-token.ts';
import type { ClientInfo, Registry, RegistryServerOptions } from './registry.ts';

/** A registry, and its handler for a listener. */
export interface ServedRegistry {
  readonly registry: Registry;
  readonly handle: FetchHandler;
}

const CLOCK: Clock = { now: () => Date.now() };

/** Any object with a URL: servers have their own classes for requests. */
const REQUEST_CHECKS: OptionChecks<{ readonly request: Request }> = {
  request: required(
    optional('a `Request`', (value) => typeof value === 'object' && value !== null && 'url' in value),
  ),
};

/** A server that listens to a Unix socket does not know the address. */
const CLIENT_CHECKS: OptionChecks<ClientInfo> = { address: TEXT };

/** Opens the registry that clients reach at `url`, an origin. Closing it first calls `stop`. */
export async function serveRegistry(
  options: RegistryServerOptions,
  url: string,
  { stop = async () => {} }: { readonly stop?: () => Promise<void> } = {},
): Promise<ServedRegistry> {
  const { log, throwFirstError } = callerLog(options.log);
  const { settings, http } = await serverSettings(options, { url, log });
  const temporary = options.folder === undefined ? await makeTemporaryFolder() : null;
  const folder = temporary?.path ?? resolve(options.folder ?? '');
  let store: Store;
  try {
    store = await openStore(folderLocation(folder), {});
  } catch (error) {
    await temporary?.remove();
    throw error;
  }
  const { records, blobs } = store;
  const app = createApp({ records, blobs, upstream: null, settings, http, clock: CLOCK, log });
  const backgroundWork = startBackgroundWork(app.downloads, { records, log });
  const closeAll = async (): Promise<void> => {
    await stop();
    await backgroundWork.stop();
    await store.close();
    await temporary?.remove();
    throwFirstError();
  };
  let closing: Promise<void> | null = null;
  const checkOpen = (): void => {
    if (closing !== null) throw new TsregError('the registry is closed', { code: 'usage' });
  };
  const close = (): Promise<void> => (closing ??= closeAll());
  return {
    registry: {
      url,
      indexUrl: `sparse+${url}/index/`,
      folder,
      async token(login, tokenOptions = {}) {
        checkOpen();
        return createToken({ records, clock: CLOCK }, login, tokenOptions);
      },
      async fetch(request, client) {
        checkOpen();
        checkOptions({ request }, REQUEST_CHECKS);
        return app.fetch(request, bindingsOf(client));
      },
      close,
      [Symbol.asyncDispose]: close,
    },
    handle: app.fetch,
  };
}

/** Returns the settings of `tsreg serve` with the corresponding flags, without configuration and variables. */
async function serverSettings(
  { authRequired = false, strict = false }: RegistryServerOptions,
  { url, log }: { readonly url: string; readonly log: Log },
): Promise<{ readonly settings: ServerSettings; readonly http: OutgoingHttp }> {
  const root = resolve('/');
  const surroundings = { cwd: root, env: { CARGO_HOME: root }, files: new NodeFiles(), report: reportTo({}) };
  const config = new Config(surroundings, () => new Map());
  const values = new Map([
    ...(authRequired ? [['auth-required', []] as const] : []),
    ...(strict ? [['strict', []] as const] : []),
  ]);
  const options = serverOptions({ values, config, offline: false });
  const { settings } = await checkServerOptions({ ...options, clock: CLOCK, log });
  return { settings: { ...settings, baseUrl: url }, http: options.http };
}

/** Returns what the server knows about the connection of a request. */
function bindingsOf(client: ClientInfo | undefined): object {
  if (client === undefined) return {};
  checkOptions(client, CLIENT_CHECKS);
  return { incoming: { socket: { remoteAddress: client.address }, rawHeaders: [] } };
}
