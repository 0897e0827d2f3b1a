import { describe, expect, test } from 'vitest';
import { chooseProxy, type ProxyChoice } from '../../../src/io/http/choose-proxy.ts';

/** Returns the proxy for `url`. `from` replaces settings, none of which is set. */
function choose(url: string, from: Partial<ProxyChoice>): URL | null {
  return chooseProxy(new URL(url), { configured: null, fromGit: null, env: {}, ...from });
}

describe('chooseProxy', () => {
  test.each([
    ['http://h/', null, {}, null],
    ['http://h/', 'p:8080', {}, 'http://p:8080/'],
    ['http://h/', 'p', {}, 'http://p/'],
    ['http://h/', 'https://p', {}, 'https://p/'],
    ['http://h/', null, { http_proxy: 'http://p:80' }, 'http://p/'],
    ['http://h/', null, { HTTP_PROXY: 'http://p:1' }, null],
    ['https://h/', null, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['https://h/', null, { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:1' }, 'http://a:1/'],
    ['https://h/', null, { http_proxy: 'http://p:1' }, null],
    ['https://h/', null, { ALL_PROXY: 'http://p:1' }, 'http://p:1/'],
    ['http://h/', 'http://p:1', { NO_PROXY: 'x, h' }, null],
    ['http://sub.h.org/', 'http://p:1', { no_proxy: '.h.org' }, null],
    ['http://xh.org/', 'http://p:1', { no_proxy: 'h.org' }, 'http://p:1/'],
    ['http://h/', 'http://p:1', { no_proxy: '*' }, null],
    ['http://10.1.2.3/', 'http://p:1', { no_proxy: '10.0.0.0/8' }, null],
    ['http://11.1.2.3/', 'http://p:1', { no_proxy: '10.0.0.0/8' }, 'http://p:1/'],
    ['http://[::1]/', 'http://p:1', { no_proxy: '::1' }, null],
    ['http://h/', '', { http_proxy: 'http://p:1' }, null],
  ])(
    'chooses the proxy for %s from the configuration %s and the variables %j',
    (url, configured, env, expected) => {
      expect(choose(url, { configured, env })?.href ?? null).toBe(expected);
    },
  );

  test.each([
    ['https:/p', 'https://p/'],
    ['http://p:', 'http://p/'],
    ['HTTP://p/path?x#y', 'http://p/'],
    ['u:w@p:3', 'http://u:w@p:3/'],
    ['[::1]:3', 'http://[::1]:3/'],
    ['p:0', 'http://p:0/'],
  ])('accepts %j as an address', (configured, expected) => {
    expect(choose('http://h/', { configured })?.href).toBe(expected);
  });

  const badPort = 'Port number was not a decimal number between 0 and 65535';
  // The messages of curl 8.
  test.each([
    ['foo:bar:baz', badPort],
    ['http://foo:bar:baz', badPort],
    ['p:99999', badPort],
    ['p:abc', badPort],
    ['p:', badPort],
    ['://x', badPort],
    ['http:p:1', badPort],
    ['[::1]x', badPort],
    ['http://', 'No host part in the URL'],
    ['http:///', 'No host part in the URL'],
    ['http://user@', 'No host part in the URL', 'http://REDACTED@'],
    ['http://[::1', 'Bad IPv6 address'],
    ['[', 'Bad IPv6 address'],
    ['%zz', 'Bad hostname'],
    ['http:////p', 'Unsupported number of slashes following scheme'],
    [' ', 'Malformed input to a URL function'],
    ['x y:80', 'Malformed input to a URL function'],
    ['user:pa ss@p:1', 'Malformed input to a URL function', 'REDACTED@p:1'],
    ['http://user:pa/ss@p:1', badPort, 'http://REDACTED@p:1'],
  ])('refuses %j, from the configuration and from a variable', (proxy, reason, shown = proxy) => {
    const message = `[5] Could not resolve proxy name (Unsupported proxy syntax in '${shown}': ${reason})`;
    expect(() => choose('http://h/', { configured: proxy })).toThrow(message);
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']) {
      expect(() => choose('https://h/', { env: { [name]: proxy } })).toThrow(message);
    }
    expect(choose('http://h/', { configured: proxy, env: { no_proxy: 'h' } })).toBe(null);
  });

  test.each<[string, Partial<ProxyChoice>]>([
    ['`http.proxy`', { configured: 'socks5://user:pass@p' }],
    ['`http.proxy` in the configuration of git', { fromGit: 'socks5://p' }],
    ['`HTTPS_PROXY`', { env: { HTTPS_PROXY: 'socks5://p', ALL_PROXY: 'http://p' } }],
    ['`ALL_PROXY`', { env: { ALL_PROXY: 'SOCKS5://p' } }],
  ])('refuses a SOCKS proxy and names its setting, without its login: %s', (name, from) => {
    expect(() => choose('https://h/', from)).toThrow(
      expect.objectContaining({
        code: 'config',
        message: `SOCKS proxies are not supported, but ${name} is \`socks5://p:1080\``,
      }),
    );
    expect(choose('https://h/', { ...from, env: { ...from.env, NO_PROXY: 'h' } })).toBe(null);
  });

  test.each(['socks', 'socks4', 'socks4a', 'socks5h'])('refuses the SOCKS proxy %s://p', (scheme) => {
    expect(() => choose('http://h/', { configured: `${scheme}://p` })).toThrow('SOCKS proxies');
  });

  test.each(['socks6', 'ftp'])('refuses the unknown scheme %s as curl does', (scheme) => {
    expect(() => choose('http://h/', { configured: `${scheme}://p:1` })).toThrow(
      `[7] Could not connect to server (Unsupported proxy scheme for '${scheme}://p:1')`,
    );
  });
});
