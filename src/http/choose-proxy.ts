/** Which proxy a request goes through, by the rules of curl. Cargo Book: Configuration, `http.proxy`. */
import { isIP } from 'node:net';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What was configured. */
export interface ProxyChoice {
  /** `http.proxy` of cargo or git; null asks the variables. */
  readonly configured: string | null;
  readonly env: Environment;
}

/**
 * The proxy for `url`, or null for a direct connection. Without a scheme it is `http`, without a port 1080.
 * `NO_PROXY` counts against configured proxies too.
 */
export function chooseProxy(url: URL, { configured, env }: ProxyChoice): URL | null {
  const proxy = configured ?? proxyVariable(url.protocol, env);
  if (proxy === null || proxy === '' || isExempt(url.hostname, variable(env, 'no_proxy', 'NO_PROXY') ?? ''))
    return null;
  return parseProxy(proxy);
}

function proxyVariable(protocol: string, env: Environment): string | null {
  // Not HTTP_PROXY: a web server hands a request's `Proxy:` header to its programs under that name.
  const own =
    protocol === 'https:' ? variable(env, 'https_proxy', 'HTTPS_PROXY') : variable(env, 'http_proxy');
  return own ?? variable(env, 'all_proxy', 'ALL_PROXY');
}

function variable(env: Environment, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

function parseProxy(text: string): URL | null {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme)) return null;
  const url = new URL(withScheme);
  // URL drops the default port of a scheme, which for a proxy is another one.
  const hasPort = /^[^:]+:\/\/(?:[^/@]*@)?(?:\[[^\]]*\]|[^:/]*):\d+/.test(withScheme);
  if (!hasPort) url.port = url.protocol === 'https:' ? '443' : '1080';
  return url;
}

/** True if `host` is in a list such as `localhost,.example.com,10.0.0.0/8`. */
function isExempt(host: string, list: string): boolean {
  if (list.trim() === '*') return true;
  const plain = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return list.split(/[\s,]+/).some((entry) => {
    const rule = entry.toLowerCase().replace(/^\[(.*)\]$/, '$1');
    if (rule === '') return false;
    if (isIP(plain) !== 0) return rule === plain || isInNetwork(plain, rule);
    const suffix = rule.replace(/^\./, '').replace(/\.$/, '');
    return plain === suffix || plain.endsWith(`.${suffix}`);
  });
}

/** Only IPv4 networks, as curl's documentation shows them. */
function isInNetwork(address: string, rule: string): boolean {
  const match = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(rule);
  if (match === null || isIP(address) !== 4 || isIP(match[1] ?? '') !== 4) return false;
  const bits = Number(match[2]);
  if (bits > 32) return false;
  const shift = 2 ** (32 - bits);
  return Math.floor(toNumber(address) / shift) === Math.floor(toNumber(match[1] ?? '') / shift);
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
