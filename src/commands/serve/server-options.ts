/** Reads the flags of `serve` into the options of the server. */
import { TsregError } from '../../core/errors/error.ts';
import { httpSettings } from '../../io/config/network-settings.ts';
import type { StartOptions } from '../../server/start-options.ts';
import { isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import type { FlagValues } from '../shared/flag.ts';
import { VERSION } from '../shared/version.ts';
import { badgesOf } from './badge-flags.ts';
import { gatesOf } from './gate-flags.ts';
import { storeLocation } from './store-flags.ts';

/** The values of flags that the user did not give, in the units of the flags. */
export const SERVER_DEFAULTS = {
  listen: '127.0.0.1:7878',
  uploadMib: 64,
  changesPerMinute: 600,
  quota: '20GiB',
  connections: 4096,
  refreshSeconds: 300,
  siteName: 'Crate registry',
  registryName: 'mine',
  accent: '#3451b2',
  documentation: 'full',
} as const;

/** The flags that set a part of the identity. */
const IDENTITY_PARTS = ['name', 'registry-name', 'logo', 'accent', 'welcome'] as const;

/** The values of `--documentation`. */
export const DOCUMENTATION_MODES = ['full', 'static', 'off'] as const;

const MIB = 1024 * 1024;

/** The parts of an invocation that the options depend on. */
type Settings = Pick<Invocation, 'values' | 'config' | 'offline'>;

/** Returns the options of the server. Throws `usage` for the first invalid flag, and `config` for invalid `[http]`. */
export function serverOptions(invocation: Settings): Omit<StartOptions, 'clock' | 'log'> {
  const { values, config } = invocation;
  const certificatePath = valueOf(values, 'tls-cert');
  const keyPath = valueOf(values, 'tls-key');
  return {
    network: {
      listen: valueOf(values, 'listen') ?? SERVER_DEFAULTS.listen,
      baseUrl: valueOf(values, 'base-url'),
      trustedProxies: valuesOf(values, 'trusted-proxy'),
      tls: certificatePath === null || keyPath === null ? null : { certificatePath, keyPath },
    },
    location: storeLocation(invocation),
    env: config.env,
    authRequired: isGiven(values, 'auth-required'),
    publishing: {
      strict: isGiven(values, 'strict'),
      dependencyRegistries: valuesOf(values, 'allow-dependency-registry'),
    },
    limits: {
      maxCrateBytes: numberOf(values, 'max-upload', { otherwise: SERVER_DEFAULTS.uploadMib }) * MIB,
      maxConnections: numberOf(values, 'max-connections', { otherwise: SERVER_DEFAULTS.connections }),
      changesPerMinute: numberOf(values, 'rate-limit', { otherwise: SERVER_DEFAULTS.changesPerMinute }),
    },
    http: httpOf(invocation),
    upstream: upstreamOf(invocation),
    advisoriesPath: valueOf(values, 'advisories'),
    documentation: documentationOf(values),
    delivery: {
      staticUrl: valueOf(values, 'static-url'),
      redirectsDownloads: valueOf(values, 'download') === 'redirect',
    },
    monitoring: {
      metricsListen: valueOf(values, 'metrics-listen'),
      metricsTokenPath: valueOf(values, 'metrics-token-file'),
      drainMs: numberOf(values, 'drain', { otherwise: 0 }) * 1000,
    },
    identity: {
      fixedParts: IDENTITY_PARTS.filter((part) => valueOf(values, part) !== null),
      siteName: valueOf(values, 'name') ?? SERVER_DEFAULTS.siteName,
      registryName: valueOf(values, 'registry-name') ?? SERVER_DEFAULTS.registryName,
      logoPath: valueOf(values, 'logo'),
      accent: valueOf(values, 'accent') ?? SERVER_DEFAULTS.accent,
      welcomePath: valueOf(values, 'welcome'),
    },
    badges: badgesOf(invocation),
    version: VERSION,
  };
}

/** Returns how documentation is shown. The parser refuses other values than `DOCUMENTATION_MODES`. */
function documentationOf(values: FlagValues): StartOptions['documentation'] {
  const given = valueOf(values, 'documentation') ?? SERVER_DEFAULTS.documentation;
  return DOCUMENTATION_MODES.find((mode) => mode === given) ?? SERVER_DEFAULTS.documentation;
}

/** Returns the settings of `[http]`, with tsreg's name as the default user agent. */
function httpOf({ config }: Settings): StartOptions['http'] {
  const http = httpSettings(config);
  return { ...http, env: config.env, userAgent: http.userAgent ?? `tsreg/${VERSION}` };
}

/** Returns the options of the upstream; null if there is none. Connections to it follow the `[http]` table. */
function upstreamOf(invocation: Settings): StartOptions['upstream'] {
  const { values, config, offline } = invocation;
  const url = valueOf(values, 'upstream');
  if (url === null) return null;
  const token = config.env['TSREG_UPSTREAM_TOKEN'] ?? '';
  // A variable of cargo's own tests. tsreg's tests use it in the same way.
  const fixedPause = config.env['__CARGO_TEST_FIXED_RETRY_SLEEP_MS'];
  return {
    url,
    token: token === '' ? null : token,
    refreshMs: numberOf(values, 'upstream-refresh', { otherwise: SERVER_DEFAULTS.refreshSeconds }) * 1000,
    isOffline: offline,
    quotaBytes: parseSize('upstream-quota', valueOf(values, 'upstream-quota') ?? SERVER_DEFAULTS.quota),
    gates: gatesOf(values),
    http: httpOf(invocation),
    fixedPauseMs: fixedPause === undefined ? null : Number(fixedPause),
  };
}

/** Returns the value of a flag that takes a number. Throws `usage` if it is not a whole number of at most six digits. */
function numberOf(values: FlagValues, name: string, { otherwise }: { readonly otherwise: number }): number {
  const text = valueOf(values, name) ?? String(otherwise);
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new TsregError(`invalid value \`${text}\` for \`--${name}\`: expected a whole number`, {
    code: 'usage',
  });
}

const UNIT_BYTES = { M: MIB, G: MIB * 1024, T: MIB * 1024 * 1024 };

/** Returns a number of bytes; null for 0, which means no limit. Throws `usage` if `text` is not a size. */
function parseSize(flag: string, text: string): number | null {
  const [, count, unit] = /^(\d{1,6})([MGT])i?B?$/.exec(text) ?? [];
  if (text === '0' || Number(count) === 0) return null;
  if (unit === 'M' || unit === 'G' || unit === 'T') return Number(count) * UNIT_BYTES[unit];
  throw new TsregError(`invalid value \`${text}\` for \`--${flag}\`: expected a size, as in \`20GiB\``, {
    code: 'usage',
  });
}
