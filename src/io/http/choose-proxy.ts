/** The choice of a proxy for a request, by the rules of curl. Cargo Book: Configuration, `http.proxy`. */
import { isIP } from 'node:net';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { CurlError } from './curl-error.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration that determines the proxy. */
export interface ProxyChoice {
  /** `http.proxy` of cargo; if null, `fromGit` applies. */
  readonly configured: string | null;
  /** `http.proxy` of git; if null, the variables apply. */
  readonly fromGit: string | null;
  readonly env: Environment;
}

/** A proxy as written, and the name of its setting for messages. */
interface ProxySetting {
  readonly text: string;
  readonly name: string;
}

/**
 * Returns the proxy for `url`, or null for a direct connection. The default scheme is `http`. The default port is 80
 * for `http`, 443 for `https`, and 1080 for others. `NO_PROXY` applies to configured proxies too. Throws a `CurlError`
 * if the proxy is not an address or has an unknown scheme, and `config` if it is a SOCKS proxy.
 */
export function chooseProxy(url: URL, choice: ProxyChoice): URL | null {
  const setting = proxySetting(url.protocol, choice);
  if (setting === null || setting.text === '') return null;
  if (isExempt(url.hostname, variable(choice.env, 'no_proxy', 'NO_PROXY')?.text ?? '')) return null;
  const proxy = parseProxy(setting.text);
  if (proxy.protocol === 'http:' || proxy.protocol === 'https:') return proxy;
  const address = `${proxy.protocol}//${proxy.host}`;
  if (!SOCKS.test(proxy.protocol)) throw new CurlError(7, `Unsupported proxy scheme for '${address}'`);
  throw new TsregError(`SOCKS proxies are not supported, but ${setting.name} is \`${address}\``, {
    code: 'config',
    hint: 'set the address of an HTTP proxy there, or list the host of the registry in `NO_PROXY`',
  });
}

/** The schemes of SOCKS proxies that curl supports. */
const SOCKS = /^socks(?:4a?|5h?)?:$/;

/** Returns the setting that applies to a protocol such as `https:`; null if there is none. */
function proxySetting(protocol: string, { configured, fromGit, env }: ProxyChoice): ProxySetting | null {
  if (configured !== null) return { text: configured, name: '`http.proxy`' };
  if (fromGit !== null) return { text: fromGit, name: '`http.proxy` in the configuration of git' };
  // Not HTTP_PROXY: a web server hands a request's `Proxy:` header to its programs under that name.
  const forProtocol =
    protocol === 'https:' ? variable(env, 'https_proxy', 'HTTPS_PROXY') : variable(env, 'http_proxy');
  return forProtocol ?? variable(env, 'all_proxy', 'ALL_PROXY');
}

/** Returns the first variable that is set and not empty. */
function variable(env: Environment, ...names: readonly string[]): ProxySetting | null {
  for (const name of names) {
    const text = env[name];
    if (text !== undefined && text !== '') return { text, name: `\`${name}\`` };
  }
  return null;
}

/** Throws curl's error if `text` is not an address: a request must not bypass a proxy that the user configured. */
function parseProxy(text: string): URL {
  const syntaxError = (reason: string): CurlError =>
    new CurlError(5, `Unsupported proxy syntax in '${withoutLogin(text)}': ${reason}`);
  if (/[\0-\x20\x7f]/.test(text)) throw syntaxError('Malformed input to a URL function');
  const [start = '', scheme = null, slashes = ''] = /^([a-z][a-z0-9+.-]*):(\/+)/i.exec(text) ?? [];
  if (slashes.length > 3) throw syntaxError('Unsupported number of slashes following scheme');
  const authority = text.slice(start.length).replace(/[/?#].*/s, '');
  const login = authority.slice(0, authority.lastIndexOf('@') + 1);
  const hostAndPort = authority.slice(login.length);
  const host = present(/^(?:\[[^\]]*\]|[^:]*)/.exec(hostAndPort), 'the host of a proxy')[0];
  const port = hostAndPort.slice(host.length);
  if (host.startsWith('[') && !host.endsWith(']')) throw syntaxError('Bad IPv6 address');
  const isPort = port === '' || (port === ':' && scheme !== null) || /^:\d+$/.test(port);
  if (!isPort || Number(port.slice(1)) > 65_535) throw syntaxError(BAD_PORT);
  if (host === '') throw syntaxError('No host part in the URL');
  const protocol = (scheme ?? 'http').toLowerCase();
  const defaultPort = DEFAULT_PORTS.get(protocol) ?? '1080';
  const address = `${protocol}://${login}${host}`;
  if (!URL.canParse(address)) throw syntaxError('Bad hostname');
  const url = new URL(address);
  // `URL` omits the default port of a scheme, but a proxy has another default.
  url.port = port.length < 2 ? defaultPort : port.slice(1);
  return url;
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
]);

const BAD_PORT = 'Port number was not a decimal number between 0 and 65535';

/** Returns `text` without the login: curl would print it, including a password. */
function withoutLogin(text: string): string {
  return text.replace(/^((?:[a-z][a-z0-9+.-]*:\/+)?)[^]*@/i, '$1REDACTED@');
}

/** Returns true if `host` is in a list such as `localhost,.example.com,10.0.0.0/8`. */
function isExempt(host: string, list: string): boolean {
  if (list.trim() === '*') return true;
  const name = host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return list.split(/[\s,]+/).some((entry) => {
    const rule = entry.toLowerCase().replace(/^\[(.*)\]$/, '$1');
    if (rule === '') return false;
    if (isIP(name) !== 0) return rule === name || isInNetwork(name, rule);
    const suffix = rule.replace(/^\./, '').replace(/\.$/, '');
    return name === suffix || name.endsWith(`.${suffix}`);
  });
}

/** Returns true for an address in an IPv4 network. curl's documentation shows no other networks. */
function isInNetwork(address: string, rule: string): boolean {
  const match = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(rule);
  if (match === null || isIP(address) !== 4) return false;
  const network = present(match[1], 'the address of a network');
  if (isIP(network) !== 4) return false;
  const bits = Number(match[2]);
  if (bits > 32) return false;
  const addressesInNetwork = 2 ** (32 - bits);
  return (
    Math.floor(toNumber(address) / addressesInNetwork) === Math.floor(toNumber(network) / addressesInNetwork)
  );
}

/** Returns an IPv4 address as a number of 32 bits. */
function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
