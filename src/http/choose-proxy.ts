/** Which proxy a request goes through, by the rules of curl. Cargo Book: Configuration, `http.proxy`. */
import { isIP } from 'node:net';
import { CurlError } from './curl-error.ts';

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
 * `NO_PROXY` counts against configured proxies too. Throws where the proxy is no address.
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

/** Throws, in curl's words, where `text` is no address: to go on without the proxy would be another way than was asked for. */
function parseProxy(text: string): URL {
  const refuse = (reason: string): CurlError =>
    new CurlError(5, `Unsupported proxy syntax in '${withoutLogin(text)}': ${reason}`);
  if (/[\0-\x20\x7f]/.test(text)) throw refuse('Malformed input to a URL function');
  const [, scheme = null, slashes = '', rest = ''] =
    /^(?:([a-z][a-z0-9+.-]*):(?=\/)(\/+))?([^]*)$/i.exec(text) ?? [];
  if (slashes.length > 3) throw refuse('Unsupported number of slashes following scheme');
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const [, host = '', port = null] = /^(\[[^\]]*\]|[^:]*)([^]*)$/.exec(authority.slice(login.length)) ?? [];
  if (host.startsWith('[') && !host.endsWith(']')) throw refuse('Bad IPv6 address');
  const isPort = port === '' || (port === ':' && scheme !== null) || /^:\d+$/.test(port ?? '');
  if (!isPort || Number(port?.slice(1)) > 65_535) throw refuse(BAD_PORT);
  if (host === '') throw refuse('No host part in the URL');
  const protocol = (scheme ?? 'http').toLowerCase();
  const defaultPort = protocol === 'https' ? '443' : '1080';
  const address = `${protocol}://${login}${host}`;
  if (!URL.canParse(address)) throw refuse('Bad hostname');
  const url = new URL(address);
  // In a URL the default port of a scheme is left out, which for a proxy is another one.
  url.port = port === null || port.length < 2 ? defaultPort : port.slice(1);
  return url;
}

const BAD_PORT = 'Port number was not a decimal number between 0 and 65535';

/** curl shows it, and with it a password. */
function withoutLogin(text: string): string {
  return text.replace(/^((?:[a-z][a-z0-9+.-]*:\/+)?)[^]*@/i, '$1REDACTED@');
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
