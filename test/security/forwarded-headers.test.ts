import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { TrustedProxies } from '../../src/server/shared/trusted-proxies.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

const BASE_URL = 'https://crates.example.com';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
});

afterAll(async () => registry[Symbol.asyncDispose]());

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly requestId: string | null;
  /** The client's address in the log. */
  readonly address: unknown;
  readonly warnings: readonly string[];
}

/** Sends a request from `remoteAddress` to a server with a base URL that trusts `proxies`. */
async function ask(
  headers: Readonly<Record<string, string>>,
  {
    remoteAddress = '10.0.0.7',
    proxies = [],
    path = '/index/config.json',
  }: {
    readonly remoteAddress?: string;
    readonly proxies?: readonly string[];
    readonly path?: string;
  } = {},
): Promise<Seen> {
  const told: { readonly event: string; readonly address?: unknown }[] = [];
  const note = (event: string, values: object = {}): void => void told.push({ event, ...values });
  const { fetch } = createApp({
    ...registry.context,
    settings: {
      ...registry.context.settings,
      baseUrl: BASE_URL,
      trustedProxies: new TrustedProxies(proxies),
    },
    log: { info: note, warning: note, error: note },
  });
  const incoming = { socket: { remoteAddress }, rawHeaders: [] };
  const answer = await fetch(new Request(`${BASE_URL}${path}`, { headers }), { incoming });
  return {
    status: answer.status,
    text: await answer.text(),
    requestId: answer.headers.get('x-request-id'),
    address: told.find(({ event }) => event === 'request')?.address,
    warnings: told.map(({ event }) => event).filter((event) => event !== 'request'),
  };
}

describe('forwarded headers', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '10.0.0.7',
    '172.17.0.1',
    '192.168.1.1',
    '::ffff:10.0.0.7',
    'fd00::1',
    '203.0.113.9',
  ])('from %s are ignored unless that is a trusted proxy', async (remoteAddress) => {
    const headers = { 'x-forwarded-for': '198.51.100.1', 'x-request-id': 'chosen' };
    const ignored = await ask(headers, { remoteAddress });
    expect(ignored).toMatchObject({ address: remoteAddress, warnings: ['forwarded-header-ignored'] });
    expect(ignored.requestId).not.toBe('chosen');
    const trusted = await ask(headers, { remoteAddress, proxies: [remoteAddress] });
    expect(trusted).toMatchObject({ address: '198.51.100.1', requestId: 'chosen', warnings: [] });
  });

  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['203.0.113.1, 198.51.100.1', '198.51.100.1'],
    // Two trusted proxies in a row. The first address is one that the client itself sent.
    ['203.0.113.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['203.0.113.1, 198.51.100.1:4711, 10.9.9.9, fd00::5', '198.51.100.1'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['198.51.100.1, nonsense, 10.9.9.9', '10.9.9.9'],
    ['198.51.100.1, 127.0.0.1', '127.0.0.1'],
    ['[2001:db8::1]:443, ::ffff:10.2.3.4', '2001:db8::1'],
    ['', '10.0.0.7'],
    [',,', '10.0.0.7'],
  ])('are read from the right, past trusted proxies only: %j gives %s', async (forwarded, address) => {
    const seen = await ask({ 'x-forwarded-for': forwarded }, { proxies: ['10.0.0.0/8', 'fd00::/8'] });
    expect(seen.address).toBe(address);
  });

  it('do not let a client bypass a limit per address', async () => {
    const limits = { ...registry.context.settings.limits, refusalsPerMinute: 2 };
    const settings = { ...registry.context.settings, baseUrl: BASE_URL, limits };
    const { fetch } = createApp({ ...registry.context, settings });
    const incoming = { socket: { remoteAddress: '172.17.0.1' }, rawHeaders: [] };
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const headers = { authorization: `guess ${i}`, 'x-forwarded-for': `198.51.100.${i}` };
      const answer = await fetch(new Request(`${BASE_URL}/api/v1/me`, { headers }), { incoming });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([403, 403, 429]);
  });
});

describe('TrustedProxies', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '2001:db8::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.0/8', 'unknown', false],
    ['10.0.0.0/8', '', false],
  ])('%s has %j: %s', (network, address, expected) => {
    expect(new TrustedProxies([network]).has(address)).toBe(expected);
  });

  it.each([
    '',
    'all',
    'localhost',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    'fe80::1%eth0',
    '*',
  ])('refuses %j as an address or a network', (text) => {
    expect(() => new TrustedProxies([text])).toThrow(`invalid value \`${text}\` for \`--trusted-proxy\``);
  });
});

describe('the `Host` header', () => {
  it.each([
    'crates.example.com',
    'CRATES.example.com:443',
    'crates.example.com.',
    'localhost:7878',
    '127.0.0.1:7878',
    '10.0.0.7',
    '[::1]:7878',
  ])('may be %j', async (host) => {
    expect((await ask({ host })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'crates.example.com.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'tsreg',
  ])('may not be the foreign name %j', async (host) => {
    for (const path of ['/index/config.json', '/', '/sign-in', '/api/v1/crates', '/metrics']) {
      const { status, text } = await ask({ host }, { path });
      expect(status, path).toBe(421);
      expect(text).toContain(`this server is not \`${host}\` but \`crates.example.com\``);
    }
  });

  it.each(['', 'a b', 'user@crates.example.com', 'crates.example.com/x', '[::1', 'crates.example.com:port'])(
    'is malformed if it is %j',
    async (host) => {
      expect((await ask({ host })).status).toBe(400);
    },
  );

  it('may have any value in health checks', async () => {
    for (const path of ['/livez', '/readyz', '/healthz'])
      expect((await ask({ host: 'tsreg.internal' }, { path })).status, path).toBe(200);
  });
});
