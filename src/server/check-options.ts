/** Checks the options of a server, before anything is opened. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { TsregError, withContextAsync } from '../core/errors/error.ts';
import { DEFAULT_BADGE_HOSTS, isBadgeHost, MAX_BADGE_HOSTS } from './shared/badge-hosts.ts';
import { formatAddress, type ListenAddress, parseListenAddress, type TlsFiles } from './http/listen.ts';
import { readIdentity } from './identity.ts';
import { parseDependencyRegistry } from './publish/dependency-registries.ts';
import { refuseUserInfo } from './refuse-user-info.ts';
import type { ServerLimits, ServerSettings } from './server-context.ts';
import { TrustedProxies } from './shared/trusted-proxies.ts';
import type { BadgeOptions, StartOptions, TlsPaths } from './start-options.ts';

const MB = 1024 * 1024;
/** Limits that have no option. */
const FIXED_LIMITS = {
  maxMetadataBytes: MB,
  maxUnpackedBytes: 512 * MB,
  maxFiles: 50_000,
  refusalsPerMinute: 60,
};

/** The values of valid options. */
export interface CheckedOptions {
  readonly address: ListenAddress;
  /** null if the server's URL is its listen address. */
  readonly baseUrl: string | null;
  /** null for plain HTTP. */
  readonly tls: TlsFiles | null;
  /** Address of a separate listener for `/metrics`; null for none. */
  readonly metricsAddress: ListenAddress | null;
  readonly metricsToken: string | null;
  /** The settings that depend on the options alone. */
  readonly settings: Omit<ServerSettings, 'baseUrl'>;
}

/** Parses the options, and reads the files that they name. Throws for the first invalid one. */
export async function checkOptions(options: StartOptions): Promise<CheckedOptions> {
  const { network, publishing, monitoring, authRequired } = options;
  const { maxCrateBytes, changesPerMinute } = options.limits;
  const limits: ServerLimits = { ...FIXED_LIMITS, maxCrateBytes, changesPerMinute };
  const dependencyRegistries = publishing.dependencyRegistries.map(parseDependencyRegistry);
  const address = parseListenAddress(network.listen);
  const baseUrl = network.baseUrl === null ? null : parseBaseUrl(network.baseUrl);
  if (baseUrl === null && isEveryAddress(address)) {
    throw new TsregError(
      `\`--listen ${network.listen}\` needs \`--base-url\`: it is the address under which clients reach the server`,
      { code: 'usage' },
    );
  }
  const trustedProxies = new TrustedProxies(network.trustedProxies);
  const tls = network.tls === null ? null : await readTls(network.tls);
  const { metricsTokenPath, metricsListen } = monitoring;
  const metricsToken = metricsTokenPath === null ? null : await readMetricsToken(metricsTokenPath);
  const metricsAddress = metricsListen === null ? null : parseListenAddress(metricsListen);
  const identity = await readIdentity(options.identity);
  const fixedIdentity = new Set(options.identity.fixedParts);
  const badgeHosts = checkBadgeHosts(options.badges);
  return {
    address,
    baseUrl,
    tls,
    metricsAddress,
    metricsToken,
    settings: {
      authRequired,
      strict: publishing.strict,
      dependencyRegistries,
      trustedProxies,
      limits,
      documentation: options.documentation,
      version: options.version,
      identity,
      fixedIdentity,
      ...(badgeHosts === null ? {} : { badgeHosts }),
    },
  };
}

/** Returns the sites whose badges readmes show; null if admins choose them. */
function checkBadgeHosts({ isShown, hosts }: BadgeOptions): readonly string[] | null {
  const names = hosts.map((host) => host.toLowerCase());
  const wrong = names.find((name) => !isBadgeHost(name));
  if (wrong !== undefined) {
    throw new TsregError(
      `invalid value \`${wrong}\` for \`--badge-host\`: expected the name of a site, such as \`img.shields.io\``,
      { code: 'usage' },
    );
  }
  if (names.length > MAX_BADGE_HOSTS) {
    throw new TsregError(`\`--badge-host\` can be given at most ${MAX_BADGE_HOSTS} times`, { code: 'usage' });
  }
  if (isShown === null) return null;
  if (!isShown) return [];
  return names.length === 0 ? DEFAULT_BADGE_HOSTS : names;
}

async function readMetricsToken(path: string): Promise<string> {
  const text = await withContextAsync(`failed to read \`${path}\``, () => readFile(path, 'utf8'));
  const token = text.trim();
  if (/^[\x21-\x7e]{16,1024}$/.test(token)) return token;
  throw new TsregError(`\`${path}\` is not a token: expected one line of 16 or more visible characters`, {
    code: 'usage',
  });
}

/** Returns true for an address that means all interfaces: clients cannot connect to it. */
function isEveryAddress(address: ListenAddress): boolean {
  const url = `http://${formatAddress(address)}`;
  // A URL has one spelling for each address: `0` and `[0::0]` mean all interfaces too.
  return URL.canParse(url) && ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
}

/** Returns the origin of a base URL. Throws `usage` for a path, query or user: pages use paths from the root. */
function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  refuseUserInfo(url, '--base-url');
  throw new TsregError(
    `\`--base-url ${text}\` is not the address of a server: expected \`https://HOST\` or \`https://HOST:PORT\``,
    { code: 'usage' },
  );
}

async function readTls({ certificatePath, keyPath }: TlsPaths): Promise<TlsFiles> {
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
