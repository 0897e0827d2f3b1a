import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { chooseProxy } from '../../src/http/choose-proxy.ts';
import { readTrustedCertificates } from '../../src/http/trusted-certificates.ts';
import { onWindows } from '../helpers/system.ts';

describe('chooseProxy', () => {
  test.each([
    ['http://h/', null, {}, null],
    ['http://h/', 'p:8080', {}, 'http://p:8080/'],
    ['http://h/', 'p', {}, 'http://p:1080/'],
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
  ])('%s by %s and %j', (url, configured, env, expected) => {
    expect(chooseProxy(new URL(url), { configured, env })?.href ?? null).toBe(expected);
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

  test('a configured file stands alone', () => {
    expect(read(file('own'), { SSL_CERT_FILE: file('system') })).toEqual(['own']);
    expect(() => read(join(folder, 'none'), {})).toThrow(
      /^\[77\] .*\(error setting certificate file: .*none\)$/,
    );
  });

  test('variables add up, and nothing counts twice', () => {
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
