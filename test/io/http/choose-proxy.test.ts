import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chooseProxy } from '../../../src/io/http/choose-proxy.ts';
import { readTrustedCertificates } from '../../../src/io/http/trusted-certificates.ts';
import { onWindows } from '../../helpers/system.ts';

describe('chooseProxy', () => {
  test.each([
    ['http://h/', null, {}, null],
    ['http://h/', 'p:8080', {}, 'http://p:8080/'],
    ['http://h/', 'p', {}, 'http://p/'],
    ['http://h/', 'https://p', {}, 'https://p/'],
    ['http://h/', 'socks5://p', {}, 'socks5://p:1080'],
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
      expect(chooseProxy(new URL(url), { configured, env })?.href ?? null).toBe(expected);
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
    expect(chooseProxy(new URL('http://h/'), { configured, env: {} })?.href).toBe(expected);
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
    expect(() => chooseProxy(new URL('http://h/'), { configured: proxy, env: {} })).toThrow(message);
    for (const name of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']) {
      const env = { [name]: proxy };
      expect(() => chooseProxy(new URL('https://h/'), { configured: null, env })).toThrow(message);
    }
    expect(chooseProxy(new URL('http://h/'), { configured: proxy, env: { no_proxy: 'h' } })).toBe(null);
  });
});

describe('readTrustedCertificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string): string => {
    writeFileSync(join(folder, name), name);
    return join(folder, name);
  };
  const read = (caFile: string | null, env: Record<string, string>) =>
    readTrustedCertificates(caFile, env)?.map(String);

  test('reads only the configured file if there is one', () => {
    expect(read(file('own'), { SSL_CERT_FILE: file('system') })).toEqual(['own']);
    expect(() => read(join(folder, 'none'), {})).toThrow(
      /^\[77\] .*\(error setting certificate file: .*none\)$/,
    );
  });

  test('combines the certificates of all variables without duplicates', () => {
    const hashed = join(folder, 'hashed');
    mkdirSync(hashed);
    writeFileSync(join(hashed, '0123abcd.0'), 'more');
    writeFileSync(join(hashed, 'readme'), 'no');
    if (!onWindows) symlinkSync(file('system'), join(hashed, 'ffffffff.0'));
    const env = { SSL_CERT_FILE: file('system'), NODE_EXTRA_CA_CERTS: file('extra'), SSL_CERT_DIR: hashed };
    expect(read(null, env)).toEqual(['system', 'extra', 'more']);
    expect(read(null, { ...env, NODE_EXTRA_CA_CERTS: file('system'), SSL_CERT_DIR: folder })).toEqual([
      'system',
    ]);
  });
});
