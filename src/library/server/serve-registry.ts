/** The server of a registry: `tsreg serve` without its flags, its configuration and its log on stderr. */
import { resolve } from 'node:path';
import { Config } from '../../io/config/config.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { reportTo } from '../../core/report/report.ts';
import { serverOptions } from '../../commands/serve/server-options.ts';
import { makeToken } from '../../server/admin/make-token.ts';
import { openStore } from '../../server/admin/open-store.ts';
import { folderLocation } from '../../server/admin/store-location.ts';
import { createApp } from '../../server/app.ts';
import { TOKEN_SCOPES } from '../../server/auth/tokens.ts';
import { checkOptions as checkServerOptions } from '../../server/check-options.ts';
import { makeTemporaryFolder } from '../../server/demo/temporary-folder.ts';
import type { FetchHandler } from '../../server/http/listen.ts';
import type { OutgoingHttp } from '../../server/shared/outgoing-http.ts';
import type { ServerSettings } from '../../server/server-context.ts';
import type { Clock } from '../../server/shared/clock.ts';
import type { Log } from '../../server/shared/log.ts';
import { reasonOf } from '../../server/shared/reason-of.ts';
import type { Store } from '../../server/store/store.ts';
import {
  checkOptions,
  filled,
  FILLED_TEXT,
  type OptionChecks,
  POSITIVE_INTEGER,
  required,
  someOf,
  TEXT,
  TEXTS,
} from '../option-checks.ts';
import type { ClientInfo, Registry, RegistryServerOptions, TokenOptions } from './registry.ts';

/** A registry, and its handler for a listener. */
export interface ServedRegistry {
  readonly registry: Registry;
  readonly handle: FetchHandler;
}

const COUNT_DOWNLOADS_EVERY_MS = 5000;
const RANK_CRATES_EVERY_MS = 5 * 60_000;

const CLOCK: Clock = { now: () => Date.now() };

const TOKEN_CHECKS: OptionChecks<TokenOptions & { readonly login: string }> = {
  login: required(FILLED_TEXT),
  name: TEXT,
  scopes: filled(someOf(...TOKEN_SCOPES)),
  crates: filled(TEXTS),
  expiresAfterMs: POSITIVE_INTEGER,
};

/** Opens the registry that clients reach at `url`, an origin. Closing it first calls `stop`. */
export async function serveRegistry(
  options: RegistryServerOptions,
  url: string,
  { stop = async () => {} }: { readonly stop?: () => Promise<void> } = {},
): Promise<ServedRegistry> {
  const log = logTo(options);
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
  app.downloads.start(COUNT_DOWNLOADS_EVERY_MS);
  const ranking = setInterval(() => {
    records
      .rankCrates()
      .catch((error: unknown) => log.warning('crates-not-ranked', { reason: reasonOf(error) }));
  }, RANK_CRATES_EVERY_MS).unref();
  const closeAll = async (): Promise<void> => {
    await stop();
    clearInterval(ranking);
    await app.downloads.stop();
    await store.close();
    await temporary?.remove();
  };
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= closeAll());
  return {
    registry: {
      url,
      indexUrl: `sparse+${url}/index/`,
      folder,
      token: (login, tokenOptions = {}) => createToken(store, login, tokenOptions),
      fetch: async (request, client) => app.fetch(request, bindingsOf(client)),
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

async function createToken({ records }: Store, login: string, options: TokenOptions): Promise<string> {
  checkOptions({ login, ...options }, TOKEN_CHECKS);
  const { name = 'library', scopes = [], crates = [], expiresAfterMs = null } = options;
  return makeToken({ records, clock: CLOCK }, { login, name, scopes, cratePatterns: crates, expiresAfterMs });
}

function logTo({ log }: RegistryServerOptions): Log {
  const write =
    (level: 'info' | 'warning' | 'error'): Log['info'] =>
    (event, values = {}) =>
      log?.({ level, event, values });
  return { info: write('info'), warning: write('warning'), error: write('error') };
}

/** Returns what the server knows about the connection of a request. */
function bindingsOf(client: ClientInfo | undefined): object {
  if (client === undefined) return {};
  return { incoming: { socket: { remoteAddress: client.address }, rawHeaders: [] } };
}
