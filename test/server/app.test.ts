import { TsregError } from '../../src/core/errors/error.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { TooMuchWork } from '../../src/server/shared/paced-work.ts';
import { TrustedProxies } from '../../src/server/shared/trusted-proxies.ts';
import type { ServerContext } from '../../src/server/server-context.ts';
import type { PageRequest } from '../../src/server/store/values.ts';
import { TEST_DATABASE } from '../helpers/test-location.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
});

afterAll(() => registry[Symbol.asyncDispose]());

/** Sends a request to a server with the context of the registry, except for `more`. */
async function ask(more: Partial<ServerContext>, path: string, init: RequestInit = {}): Promise<Response> {
  return await createApp({ ...registry.context, ...more }).fetch(new Request(`http://x${path}`, init), {});
}

describe('a search', () => {
  it.each([
    ['', { limit: 10, offset: 0 }],
    ['?per_page=100', { limit: 100, offset: 0 }],
    ['?per_page=101', { limit: 100, offset: 0 }],
    ['?per_page=99999999999999999999', { limit: 100, offset: 0 }],
    ['?per_page=7&page=3', { limit: 7, offset: 14 }],
  ])('with the query `%s` stays within the page size limit', async (query, expected) => {
    const asked: PageRequest[] = [];
    const records: ServerContext['records'] = {
      ...registry.context.records,
      searchCrates: async (_, page) => {
        asked.push(page);
        return { items: [], total: 0 };
      },
    };
    expect((await ask({ records }, `/api/v1/crates${query}`)).status).toBe(200);
    expect(asked).toEqual([expected]);
  });
});

it('asks clients to come back later if too much work waits', async () => {
  const records = {
    ...registry.context.records,
    listOwners: () => Promise.reject(new TooMuchWork()),
  };
  const answer = await ask({ records }, '/api/v1/crates/any/owners');
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
});

describe('a failing store', () => {
  it('causes a 500 with the request id, and the reason only in the log', async () => {
    const records: ServerContext['records'] = {
      ...registry.context.records,
      findIndexState: () => Promise.reject(new Error('the disk is on fire')),
      ping: () => Promise.reject(new Error('the disk is on fire')),
    };
    const told: unknown[] = [];
    const log = {
      ...registry.context.log,
      error: (event: string, values = {}) => told.push({ event, ...values }),
    };
    const answer = await ask({ records, log }, '/index/an/y-/any-');
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toEqual([500, { errors: [{ detail: expect.any(String) }] }]);
    expect(text).toContain(answer.headers.get('x-request-id') ?? 'no id');
    expect(text).not.toContain('fire');
    expect(told).toMatchObject([{ event: 'request-failed', reason: 'the disk is on fire' }]);
    expect((await ask({ records, log }, '/healthz')).status).toBe(503);
    const refusal = new TsregError('cannot read from the bucket', { code: 'auth', hint: 'set new keys' });
    const refused = { ...registry.store.records, findIndexState: () => Promise.reject(refusal) };
    expect((await ask({ records: refused, log }, '/index/an/y-/any-')).status).toBe(503);
    expect(told.at(-1)).toMatchObject({
      event: 'store-away',
      reason: 'cannot read from the bucket; set new keys',
    });
  });
});

describe('a full disk', () => {
  it.each<[string, Error]>([
    ['a folder', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
    ['SQLite', new TsregError('the records cannot be used: database or disk is full', { code: 'io' })],
    ['PostgreSQL', new TsregError('the database says: could not extend file (53100)', { code: 'io' })],
  ])('of %s causes a 503 that says so, with `Retry-After` in API responses', async (_, error) => {
    const records = { ...registry.context.records, findIndexState: () => Promise.reject(error) };
    const answer = await ask({ records }, '/index/an/y-/any-');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await answer.json()).toMatchObject({
      errors: [{ detail: expect.stringContaining('disk of the registry is full') }],
    });
    const searching = { ...registry.context.records, searchCrates: () => Promise.reject(error) };
    const page = await ask({ records: searching }, '/?q=a', { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([503, expect.stringContaining('No room for changes')]);
  });
});

it('notes the last use of a token only if it can, and serves the request anyway', async () => {
  const { token } = await registry.tokenOf(await registry.user('reader'));
  const touchToken = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
  const findTokenByHash: ServerContext['records']['findTokenByHash'] = async () =>
    token === null ? null : { user: await registry.user('other'), token };
  const records = { ...registry.context.records, findTokenByHash, touchToken };
  const settings = { ...registry.context.settings, authRequired: true };
  const init = { headers: { authorization: 'its secret' } };
  expect((await ask({ records, settings }, '/index/config.json', init)).status).toBe(200);
});

it('has no request id in an error of a separate listener for metrics', async () => {
  const settings = { ...registry.context.settings, metrics: { token: null, hasOwnListener: true } };
  const records = { ...registry.context.records, count: () => Promise.reject(new Error('broken')) };
  const { metrics } = createApp({ ...registry.context, settings, records });
  const answer = await metrics(new Request('http://x/metrics'), {});
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('undefined')]);
});

it.each([
  ['gzip', 'gzip'],
  ['br, *', 'gzip'],
  ['*, gzip;q=0', null],
  ['gzip;q=0, *', null],
])('compresses an index file for `Accept-Encoding: %s` as %s', async (accepted, encoding) => {
  const state = { etag: '"1"', changedAtMs: 0 };
  const body = 'x'.repeat(2000);
  const records = {
    ...registry.context.records,
    findIndexState: async () => ({ ...state, size: body.length }),
    findIndexFile: async () => ({ ...state, body }),
  };
  const answer = await ask({ records }, '/index/an/y-/any-', { headers: { 'accept-encoding': accepted } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
});

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['198.51.100.1, 192.0.2.1:4711', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['unknown', '100.100.1.1'],
    ['1.2.3.4.5', '100.100.1.1'],
  ])('behind a proxy that forwards %j is %s', async (forwarded, address) => {
    const told: unknown[] = [];
    const log = { ...registry.context.log, info: (_: string, more: unknown) => void told.push(more) };
    const trustedProxies = new TrustedProxies(['100.64.0.0/10']);
    const settings = { ...registry.context.settings, trustedProxies };
    const { fetch } = createApp({ ...registry.context, settings, log });
    const request = new Request('http://x/index/config.json', { headers: { 'x-forwarded-for': forwarded } });
    await fetch(request, { incoming: { socket: { remoteAddress: '100.100.1.1' } } });
    expect(told.at(-1)).toMatchObject({ address });
  });
});

describe('invalid tokens', () => {
  it('cause a 429 after too many of them', async () => {
    const limits = { ...registry.context.settings.limits, refusalsPerMinute: 2 };
    const context = { ...registry.context, settings: { ...registry.context.settings, limits } };
    const { fetch } = createApp(context);
    const guess = async (): Promise<number> => {
      const headers = { authorization: 'guess' };
      return (await fetch(new Request('http://x/api/v1/crates', { headers }), {})).status;
    };
    expect([await guess(), await guess(), await guess()]).toEqual([403, 403, 429]);
  });

  it('are counted together if they come from one /64', async () => {
    const trustedProxies = new TrustedProxies(['127.0.0.1']);
    const settings = { ...registry.context.settings, trustedProxies };
    const limits = { ...settings.limits, refusalsPerMinute: 2 };
    const { fetch } = createApp({ ...registry.context, settings: { ...settings, limits } });
    const guess = async (address: string): Promise<number> => {
      const headers = { authorization: 'guess', 'x-forwarded-for': address };
      const request = new Request('http://x/api/v1/crates', { headers });
      const incoming = { socket: { remoteAddress: '127.0.0.1' }, rawHeaders: [] };
      return (await fetch(request, { incoming })).status;
    };
    const [first, second, third] = ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:a::3'];
    expect([await guess(first), await guess(second), await guess(third)]).toEqual([403, 403, 429]);
    expect(await guess('2001:db8:0:2::1')).toBe(403);
  });
});

describe('health checks', () => {
  const away = (): Promise<never> => Promise.reject(new Error('away'));

  it('name the failed backends, while `/livez` succeeds', async () => {
    const records = { ...registry.context.records, ping: away };
    const blobs = { ...registry.context.blobs, ping: away };
    for (const [more, failing] of [
      [{ records }, ['records']],
      [{ blobs }, ['files']],
      [{ records, blobs }, ['records', 'files']],
    ] as const) {
      for (const path of ['/readyz', '/healthz']) {
        const answer = await ask(more, path);
        expect([answer.status, await answer.json()]).toEqual([503, { status: 'failing', failing }]);
      }
      expect((await ask(more, '/livez')).status).toBe(200);
    }
    const { sqlite } = registry.context.records;
    if (TEST_DATABASE === null) expect(sqlite).toMatch(/^(?:node:sqlite|libsql) 3\.\d+/);
    expect(await (await ask({}, '/readyz')).json()).toEqual({ status: 'ok', sqlite });
  });

  it('time out if a backend does not respond', async () => {
    const records = { ...registry.context.records, ping: () => new Promise<void>(() => undefined) };
    expect((await ask({ records }, '/readyz')).status).toBe(503);
  });

  it('report that the server is not ready while it drains and still serves requests', async () => {
    const app = createApp(registry.context);
    const status = async (path: string): Promise<number> =>
      (await app.fetch(new Request(`http://x${path}`), {})).status;
    expect(await status('/readyz')).toBe(200);
    app.startDraining();
    expect([await status('/readyz'), await status('/livez')]).toEqual([503, 200]);
    expect(await status('/index/config.json')).toBe(200);
  });
});

it('reports the connections to a database in the metrics', async () => {
  const figures = () => ({ maxConnections: 10, inUse: 3, waiting: 2, repeats: 5, failures: 1 });
  const records = { ...registry.context.records, figures };
  const text = await (await ask({ records }, '/metrics')).text();
  for (const line of ['connections_in_use 3', 'waiting 2', 'repeats_total 5', 'failures_total 1']) {
    expect(text).toContain(`\ntsreg_database_${line}\n`);
  }
  expect(text).toContain('# TYPE tsreg_database_repeats_total counter');
});
