/** Network settings. Cargo Book: Configuration, `[net]` and `[http]`. */
import { TsregError } from '../../core/errors/error.ts';
import type { Config } from './config.ts';
import { type Located, resolveLocatedPath } from './definition.ts';
import type { SslVersionRange } from './tables.ts';

/** `[net]`, with cargo's defaults for missing keys. */
export interface NetSettings {
  /** Number of retries after a failed request. */
  readonly retries: number;
  readonly offline: boolean;
  /** True to fetch every URL with the git program. */
  readonly gitFetchWithCli: boolean;
  readonly sshKnownHosts: readonly Located<string>[];
}

/** Reads `[net]`. Throws `config` if it is invalid. */
export function netSettings(config: Config): NetSettings {
  const table = config.net();
  return {
    retries: table.retry ?? 3,
    offline: table.offline ?? false,
    gitFetchWithCli: table['git-fetch-with-cli'] ?? false,
    sshKnownHosts: table.ssh?.['known-hosts'] ?? [],
  };
}

/**
 * Returns the pause between retries in cargo's own tests, in milliseconds, which replaces all others. null outside of
 * tests.
 */
export function fixedRetryPauseMs({ env }: Config): number | null {
  const text = env['__CARGO_TEST_FIXED_RETRY_SLEEP_MS'];
  return text === undefined ? null : Number(text);
}

/** Returns `net.offline`; false if the configuration is invalid, which code that depends on it reports. */
export function isOfflineConfigured(config: Config): boolean {
  return falseIfInvalid(() => config.net().offline ?? false);
}

/** `[http]`, with cargo's defaults for missing keys. Other settings are null if they are not set. */
export interface HttpSettings {
  /** null to use the environment variables of curl and git. */
  readonly proxy: string | null;
  /** For connecting, and for a transfer that stays below `lowSpeedLimit`. */
  readonly timeoutMs: number;
  /** Bytes per second. */
  readonly lowSpeedLimit: number;
  /** Absolute path of a file with certificates. */
  readonly caFile: string | null;
  /** The same for the proxy. Default: `caFile`. */
  readonly proxyCaFile: string | null;
  readonly userAgent: string | null;
  readonly multiplexing: boolean;
  /** The minimum TLS version, such as `tlsv1.2`, or a range. */
  readonly sslVersion: string | SslVersionRange | null;
}

/** Reads `[http]` and `HTTP_TIMEOUT`. Throws `config` if they are invalid. */
export function httpSettings(config: Config): HttpSettings {
  const table = config.http();
  const caFile = absolute(table.cainfo, config);
  return {
    proxy: table.proxy,
    timeoutMs: (table.timeout ?? timeoutFromVariable(config) ?? 30) * 1000,
    lowSpeedLimit: table['low-speed-limit'] ?? 10,
    caFile,
    proxyCaFile: absolute(table['proxy-cainfo'], config) ?? caFile,
    userAgent: table['user-agent'],
    multiplexing: table.multiplexing ?? true,
    sslVersion: table['ssl-version'],
  };
}

/** Returns true if `[net]` can be read. The next request reports the error. */
export function isNetConfigured(config: Config): boolean {
  return falseIfInvalid(() => {
    config.net();
    return true;
  });
}

/** Returns true if `[http]` can be read. */
export function isHttpConfigured(config: Config): boolean {
  return falseIfInvalid(() => {
    config.http();
    return true;
  });
}

/** Returns the result of `read`; false if the configuration is invalid. */
function falseIfInvalid(read: () => boolean): boolean {
  try {
    return read();
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return false;
    throw error;
  }
}

/** Returns a timeout in seconds; null if the variable is not set or not a number. */
function timeoutFromVariable(config: Config): number | null {
  const text = config.env.HTTP_TIMEOUT;
  // Rust's number parser, which cargo uses, accepts a plus sign.
  return text !== undefined && /^\+?[0-9]+$/.test(text) ? Number(text) : null;
}

function absolute(path: Located<string> | null, config: Config): string | null {
  return path === null ? null : resolveLocatedPath(path, config.cwd);
}
