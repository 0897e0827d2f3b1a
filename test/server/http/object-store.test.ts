import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openS3Blobs, type S3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { createApp, type ServerApp } from '../../../src/server/app.ts';
import type { ServerContext, ServerSettings } from '../../../src/server/server-context.ts';
import { externalDeliveryOf } from '../../../src/server/external-delivery.ts';
import { StaticIndexPublisher } from '../../../src/server/static/static-index-publisher.ts';
import { makeSecret, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { imitateBucket, type ImitatedBucket } from '../../helpers/imitated-bucket.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let bucket: ImitatedBucket;
let blobs: S3Blobs;
let registry: TestRegistry;
let token: string;
beforeEach(async () => {
  bucket = await imitateBucket();
  blobs = await openS3Blobs(bucket.url, bucket.env, { maxAttempts: 2, backOffMs: 2 });
  registry = await openTestRegistry();
  const { secret, hash } = makeSecret();
  const alice = await registry.user('alice');
  await registry.tokenOf(alice, { scopes: TOKEN_SCOPES });
  await registry.store.records.createToken({
    ...{ userId: alice.id, name: 't', hash, prefix: 'tsreg_', scopes: TOKEN_SCOPES, cratePatterns: [] },
    ...{ createdAtMs: 1, expiresAtMs: null },
  });
  token = secret;
});
afterEach(async () => {
  blobs.close();
  await registry[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

function app(settings: Partial<ServerSettings> = {}, more: Partial<ServerContext> = {}): ServerApp {
  const { context } = registry;
  return createApp({ ...context, blobs, settings: { ...context.settings, ...settings }, ...more });
}

async function ask(server: ServerApp, path: string, init: RequestInit = {}): Promise<Response> {
  return await server.fetch(new Request(`http://x${path}`, init), {});
}

async function add(server: ServerApp, version: string, name = 'away'): Promise<Response> {
  const body = new Uint8Array(publishBody({ name, version }).bytes);
  return await ask(server, '/api/v1/crates/new', { method: 'PUT', body, headers: { authorization: token } });
}

async function downloads(server: ServerApp): Promise<number | undefined> {
  await server.downloads.flush();
  return (await registry.store.records.findVersion('away', '1.0.0'))?.downloads;
}

const PATH = '/api/v1/crates/away/1.0.0/download';

describe('a download', () => {
  it('is streamed by default', async () => {
    const server = app();
    expect((await add(server, '1.0.0')).status).toBe(200);
    const answer = await ask(server, PATH);
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  });

  it('redirects to a URL of the store without caching, and is counted', async () => {
    const server = app({ redirectsDownloads: true });
    await add(server, '1.0.0');
    const asked = bucket.requests.length;
    const answer = await ask(server, PATH, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      ...[302, 'no-store', null],
    ]);
    expect(bucket.requests.length).toBe(asked);
    const address = new URL(answer.headers.get('location') ?? '');
    expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(300);
    const bytes = await (await fetch(address)).arrayBuffer();
    expect(bytes.byteLength).toBe((await registry.store.records.findVersion('away', '1.0.0'))?.size);
    expect(await downloads(server)).toBe(1);
  });

  it('does not redirect HEAD, 304, 416 and 404, and only full downloads are counted', async () => {
    const server = app({ redirectsDownloads: true });
    await add(server, '1.0.0');
    const { checksum = '', size = 0 } = (await registry.store.records.findVersion('away', '1.0.0')) ?? {};
    const head = await ask(server, PATH, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      ...[200, String(size), `"${checksum}"`],
    ]);
    const known = await ask(server, PATH, { headers: { 'if-none-match': `"${checksum}"` } });
    const beyond = await ask(server, PATH, { headers: { range: `bytes=${size}-` } });
    const absent = await ask(server, '/api/v1/crates/away/2.0.0/download');
    expect([known.status, beyond.status, absent.status]).toEqual([304, 416, 404]);
    expect(await downloads(server)).toBe(0);
    const rest = await ask(server, PATH, { headers: { range: 'bytes=5-' }, redirect: 'manual' });
    expect(rest.status).toBe(302);
    // The rest of a file does not count as a download.
    expect(await downloads(server)).toBe(0);
    const part = await fetch(rest.headers.get('location') ?? '', { headers: { range: 'bytes=5-9' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 5]);
  });

  it('leaves connections to the store for other clients if one reads slowly', async () => {
    const server = app();
    const more = { files: { 'src/lib.rs': '', 'large.bin': randomBytes(100_000).toString('latin1') } };
    const body = new Uint8Array(publishBody({ name: 'large', version: '1.0.0', ...more }).bytes);
    const init = { method: 'PUT', body, headers: { authorization: token } };
    const published = await ask(server, '/api/v1/crates/new', init);
    expect(await published.text()).toContain('warnings');
    const read = async (remoteAddress: string): Promise<Response> =>
      await server.fetch(new Request('http://x/api/v1/crates/large/1.0.0/download'), {
        incoming: { socket: { remoteAddress }, rawHeaders: [] },
      });
    const slow = await Promise.all(Array.from({ length: 64 }, () => read('192.0.2.1')));
    expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 200));
    const refused = await read('192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const other = await read('192.0.2.2');
    expect((await other.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
    await slow[0]?.body?.cancel();
    expect((await (await read('192.0.2.1')).arrayBuffer()).byteLength).toBeGreaterThan(100_000);
    expect((await read('192.0.2.1')).status).toBe(200);
    expect((await read('192.0.2.1')).status).toBe(429);
    for (const address of ['192.0.2.3', '192.0.2.4']) {
      slow.push(...(await Promise.all(Array.from({ length: 64 }, () => read(address)))));
    }
    // Most connections are in use now, so the overload limit applies.
    const fourth = await Promise.all(Array.from({ length: 10 }, () => read('192.0.2.5')));
    expect(fourth.filter(({ status }) => status === 200)).toHaveLength(8);
    expect((await (await read('192.0.2.6')).arrayBuffer()).byteLength).toBeGreaterThan(100_000);
    for (const { body: rest } of [...slow.slice(1), ...fourth]) await rest?.cancel();
  });

  it('does not redirect without a token if the registry requires one', async () => {
    const server = app({ redirectsDownloads: true, authRequired: true });
    await add(server, '1.0.0');
    expect((await ask(server, PATH)).status).toBe(401);
    const answer = await ask(server, PATH, { headers: { authorization: token }, redirect: 'manual' });
    expect(answer.status).toBe(302);
  });
});

describe('an unreachable object store', () => {
  it('causes a 503 only for requests that need files', async () => {
    const server = app();
    await add(server, '1.0.0');
    bucket.fault = () => ({ kind: 'reset' });
    for (const path of ['/index/aw/ay/away', '/api/v1/crates?q=away', '/crates/away']) {
      expect((await ask(server, path)).status).toBe(200);
    }
    const answer = await ask(server, PATH);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await add(server, '1.1.0')).status).toBe(503);
    expect((await ask(server, '/healthz')).status).toBe(503);
    expect(await registry.store.records.findVersion('away', '1.1.0')).toBeNull();
    bucket.fault = () => null;
    expect((await ask(server, '/healthz')).status).toBe(200);
    expect((await add(server, '1.1.0')).status).toBe(200);
    const metrics = await (await ask(server, '/metrics')).text();
    expect(metrics).toMatch(/^tsreg_storage_requests_total [1-9]/m);
    expect(metrics).toMatch(/^tsreg_storage_failures_total [1-9]/m);
  });

  it('causes only a warning if a publish cannot write the static index', async () => {
    const { records } = registry.store;
    const files = blobs.staticFiles;
    if (files === undefined) throw new Error('no static files');
    const { clock, log } = registry.context;
    const staticIndex = new StaticIndexPublisher({ records, files, clock, log });
    const server = app({ staticUrl: 'http://files' }, { staticIndex });
    expect(await (await add(server, '1.0.0')).json()).toMatchObject({ warnings: { other: [] } });
    bucket.fault = ({ key }) => (key.includes('/static/') ? { kind: 'reset' } : null);
    const answer = await add(server, '1.1.0');
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { warnings: { other: [expect.stringContaining('the static index does not have it yet')] } },
    ]);
    bucket.fault = () => null;
    expect(await staticIndex.flushAll()).toBe(true);
    const index = (path: string): string => String(bucket.objects.get(`pre/static/index/${path}`)?.bytes);
    expect(index('aw/ay/away')).toContain('1.1.0');
    // A yank under another spelling also writes the static index before the response.
    expect((await add(server, '1.0.0', 'far_away')).status).toBe(200);
    const yank = { method: 'DELETE', headers: { authorization: token } };
    expect((await ask(server, '/api/v1/crates/far-away/1.0.0/yank', yank)).status).toBe(200);
    expect(index('fa/r_/far_away')).toContain('"yanked":true');
  });
});

it('refuses external delivery that the store or the registry does not support', async () => {
  const options = { staticUrl: null, redirectsDownloads: false, authRequired: false };
  const { blobs: folder } = registry.store;
  const { signedUrl: _signed, staticFiles: _files, ...plain } = folder;
  expect(() => externalDeliveryOf({ ...options, redirectsDownloads: true }, plain)).toThrow(
    'needs an object store',
  );
  expect(() => externalDeliveryOf({ ...options, staticUrl: 'http://x' }, plain)).toThrow(
    'needs an object store',
  );
  expect(() => externalDeliveryOf({ ...options, staticUrl: 'http://x', authRequired: true }, blobs)).toThrow(
    'cannot be used with `--auth-required`',
  );
  for (const staticUrl of ['x', 'ftp://x', 'http://x?y', 'http://x/{crate}']) {
    expect(() => externalDeliveryOf({ ...options, staticUrl }, blobs)).toThrow('is not an address');
  }
  expect(externalDeliveryOf({ ...options, staticUrl: 'https://x/y/' }, blobs)).toMatchObject({
    staticUrl: 'https://x/y',
  });
});
