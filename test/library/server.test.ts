import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll, describe, expect, it } from 'vitest';
import type { Registry, RegistryEvent, RegistryServerOptions } from '../../src/library/server/index.ts';
import { builtLibrary, builtServer } from '../helpers/built-library.ts';
import { buildCrate } from '../helpers/crate.ts';
import { listen } from '../helpers/listen.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const library = await builtLibrary();
const { openRegistry, startRegistry } = await builtServer();

const temp = makeTempDir('library-server');
afterAll(() => temp.remove());

/** Options for calls that use `registry`, with a new `CARGO_HOME`. */
function clientOf({ indexUrl }: Registry, label: string) {
  const cwd = path.join(temp.path, label);
  mkdirSync(cwd, { recursive: true });
  return { cwd, env: { CARGO_HOME: path.join(cwd, 'home') }, index: indexUrl };
}

/** Returns a `.crate` that any registry accepts. */
function crateOf(name: string, version = '1.0.0'): Uint8Array {
  const { archive } = buildCrate({ name, version, extra: 'description = "d"\nlicense = "MIT"\n' }, () => '');
  if (archive === null) throw new Error('no archive');
  return archive;
}

/** Returns the error that a call was rejected with. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('startRegistry', () => {
  it('serves a registry to the functions of the library until it is closed', async () => {
    const registry = await startRegistry();
    const { url, indexUrl, folder } = registry;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(indexUrl).toBe(`sparse+${url}/index/`);
    expect(existsSync(folder)).toBe(true);
    const options = clientOf(registry, 'started');
    const token = await registry.token('alice');
    const file = crateOf('kettle');
    const { packages } = await library.publish({ ...options, token, file });
    expect(packages.map(({ name, state }) => `${name} ${state}`)).toEqual(['kettle published']);
    expect((await library.whoami({ ...options, token })).user.login).toBe('alice');
    const { bytes } = await library.tarball('kettle', options);
    expect(Buffer.from(bytes).equals(file)).toBe(true);
    await registry.close();
    await registry.close();
    expect(existsSync(folder)).toBe(false);
    expect(await failureOf(fetch(url))).toBeInstanceOf(Error);
  });

  it('keeps a folder that the caller names', async () => {
    const folder = path.join(temp.path, 'named');
    {
      await using registry = await startRegistry({ folder });
      const options = clientOf(registry, 'first');
      await library.publish({ ...options, token: await registry.token('alice'), file: crateOf('leaf') });
    }
    await using again = await startRegistry({ folder });
    expect(again.folder).toBe(folder);
    expect(await library.versions('leaf', clientOf(again, 'second'))).toHaveLength(1);
  });

  it('serves several registries at the same time', async () => {
    await using one = await startRegistry();
    await using other = await startRegistry();
    const token = await one.token('alice');
    expect(one.url).not.toBe(other.url);
    expect(await failureOf(library.whoami({ ...clientOf(other, 'other'), token }))).toMatchObject({
      code: 'auth',
    });
  });

  it('needs a token for reading with `authRequired`', async () => {
    await using registry = await startRegistry({ authRequired: true });
    const url = `${registry.url}/api/v1/crates`;
    expect((await fetch(url)).status).toBe(401);
    const authorization = await registry.token('alice', { scopes: ['read'] });
    expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
  });

  it('gives crates to the functions without a workspace if they get a token', async () => {
    await using registry = await startRegistry({ authRequired: true });
    const options = clientOf(registry, 'protected');
    const token = await registry.token('alice');
    await library.publish({ ...options, token, file: crateOf('mug') });
    expect((await library.tarball('mug', { ...options, token })).version).toBe('1.0.0');
    expect(await failureOf(library.versions('mug', options))).toMatchObject({ code: 'auth' });
  });

  it('applies the rules of crates.io with `strict`', async () => {
    await using registry = await startRegistry({ strict: true });
    const token = await registry.token('alice');
    const file = buildCrate({ name: 'bare', version: '1.0.0' }, () => '').archive ?? new Uint8Array();
    const failure = await failureOf(library.publish({ ...clientOf(registry, 'strict'), token, file }));
    expect(failure).toMatchObject({ message: expect.stringContaining('failed to publish') });
  });

  it('restricts tokens to scopes, crates and a lifetime', async () => {
    await using registry = await startRegistry();
    const options = clientOf(registry, 'restricted');
    const publish = async (token: string, name: string): Promise<unknown> =>
      failureOf(library.publish({ ...options, token, file: crateOf(name) }));
    const forTea = await registry.token('alice', { name: 'ci', crates: ['tea-*'] });
    expect(await publish(forTea, 'tea-pot')).toBe(null);
    expect(await publish(forTea, 'mug')).toMatchObject({ code: 'auth' });
    expect(await publish(await registry.token('alice', { scopes: ['yank'] }), 'mug')).toMatchObject({
      code: 'auth',
    });
    const brief = await registry.token('alice', { expiresAfterMs: 1 });
    await sleep(10);
    expect(await failureOf(library.whoami({ ...options, token: brief }))).toMatchObject({ code: 'auth' });
  });

  it('reports events to `log` and prints nothing', async () => {
    const events: RegistryEvent[] = [];
    await using registry = await startRegistry({ log: (event) => void events.push(event) });
    await fetch(`${registry.url}/index/config.json`);
    await expect.poll(() => events.map(({ event }) => event)).toContain('request');
    expect(events[0]?.level).toBe('info');
  });

  it.each<[string, RegistryServerOptions['log']]>([
    [
      'throws',
      () => {
        throw new Error('no log');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('works with a `log` that %s, and reports its error at the end', async (_, log) => {
    const registry = await startRegistry({ log });
    const options = clientOf(registry, 'failing-log');
    await library.publish({ ...options, token: await registry.token('alice'), file: crateOf('pan') });
    expect((await fetch(registry.url)).status).toBe(200);
    const failure = await failureOf(registry.close());
    expect(failure).toMatchObject({ code: 'usage', message: 'the function `log` failed' });
    expect(failure).toMatchObject({ cause: { message: 'no log' } });
    expect(existsSync(registry.folder)).toBe(false);
  });

  it('refuses calls after it is closed', async () => {
    const registry = await startRegistry();
    await registry.close();
    const closed = { name: 'TsregError', code: 'usage', message: 'the registry is closed' };
    expect(await failureOf(registry.token('alice'))).toMatchObject(closed);
    expect(await failureOf(registry.fetch(new Request(registry.url)))).toMatchObject(closed);
  });

  it.each<[object, string]>([
    [{ port: -1 }, '`port` must be 0 to 65535, not `-1`'],
    [{ port: 1.5 }, '`port` must be 0 to 65535, not `1.5`'],
    [{ port: '80' }, '`port` must be a number, not this string'],
    [{ folder: 5 }, '`folder` must be the path of a folder, not this number'],
    [{ folder: '' }, '`folder` must be the path of a folder, not an empty string'],
    [{ folder: 'a\0b' }, '`folder` must be the path of a folder, not this string'],
    [{ log: console }, '`log` must be a function, not this object'],
  ])('refuses %j', async (options, message) => {
    const start: unknown = Reflect.get(await builtServer(), 'startRegistry');
    if (typeof start !== 'function') throw new Error('no function');
    expect(await failureOf(start(options))).toMatchObject({ name: 'TsregError', code: 'usage', message });
  });

  it('fails with errors of the library if the port or the folder cannot be used', async () => {
    await using registry = await startRegistry();
    const busy = await failureOf(startRegistry({ port: Number(new URL(registry.url).port) }));
    expect(busy).toBeInstanceOf(library.TsregError);
    expect(busy).toMatchObject({
      code: 'io',
      message: expect.stringMatching(
        /^failed to listen on `127\.0\.0\.1:\d+`: choose another `port`, or omit it to use any free one$/,
      ),
    });
    const folder = path.join(temp.path, 'file');
    writeFileSync(folder, '');
    expect(await failureOf(startRegistry({ folder }))).toMatchObject({ code: 'config' });
    const below = await failureOf(startRegistry({ folder: path.join(folder, 'below') }));
    expect(below).toMatchObject({
      code: 'io',
      message: `failed to open the registry in \`${path.join(folder, 'below')}\``,
    });
    expect(await failureOf(registry.token('not a login'))).toMatchObject({ code: 'usage' });
  });

  it.each([
    [{ expiresAfterMs: Number.NaN }, '`expiresAfterMs` must be a positive whole number, not `NaN`'],
    [{ expiresAfterMs: 1.5 }, '`expiresAfterMs` must be a positive whole number, not `1.5`'],
    [{ expiresAfterMs: 0 }, '`expiresAfterMs` must be a positive whole number, not `0`'],
    [{ expiresAfterMs: Number.MAX_SAFE_INTEGER }, ''],
    [{ scopes: [] }, '(at least one), not an empty list'],
    [{ crates: [] }, '`crates` must be a list of strings (at least one), not an empty list'],
  ])('gives no token for %j', async (options, words) => {
    await using registry = await startRegistry();
    expect(await failureOf(registry.token('alice', options))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(words),
    });
  });
});

describe('openRegistry', () => {
  it('responds to the requests of another server', async () => {
    const requests: string[] = [];
    let registry: Registry | null = null;
    const respond = getRequestListener(async (request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return registry?.fetch(request) ?? new Response(null, { status: 503 });
    });
    const server = createServer((request, response) => void respond(request, response));
    registry = await openRegistry({ url: `http://127.0.0.1:${await listen(server)}` });
    const options = clientOf(registry, 'embedded');
    await library.publish({ ...options, token: await registry.token('alice'), file: crateOf('mug') });
    expect((await library.manifest('mug', options)).version).toBe('1.0.0');
    expect(requests).toContain('PUT /api/v1/crates/new');
    server.close();
    await registry.close();
  });

  it('needs no server at all', async () => {
    await using registry = await openRegistry({ url: 'https://crates.example.com' });
    const response = await registry.fetch(new Request('https://crates.example.com/index/config.json'));
    expect(await response.json()).toMatchObject({ api: 'https://crates.example.com' });
  });

  it.each<[string, readonly unknown[], string]>([
    ['no request', [], '`request` is missing, a `Request`'],
    ['a text', ['http://localhost/'], '`request` must be a `Request`, not this string'],
    [
      'a client without text',
      [new Request('http://localhost/'), { address: 5 }],
      '`address` must be a string, not this number',
    ],
  ])('refuses %s', async (_, args, message) => {
    await using registry = await openRegistry({ url: 'http://localhost' });
    const respond: unknown = Reflect.get(registry, 'fetch');
    if (typeof respond !== 'function') throw new Error('no function');
    expect(await failureOf(respond(...args))).toMatchObject({ code: 'usage', message });
  });

  it('counts wrong tokens by the address of the client', async () => {
    await using registry = await openRegistry({ url: 'http://localhost' });
    const statusFor = async (address: string): Promise<number> => {
      const headers = { authorization: 'wrong' };
      const request = new Request('http://localhost/api/v1/me', { headers });
      return (await registry.fetch(request, { address })).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) statuses.push(await statusFor('192.0.2.1'));
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    expect(await statusFor('192.0.2.2')).toBe(403);
  });

  it.each(['https://crates.example.com/path', 'crates.example.com', 'ftp://crates.example.com', ''])(
    'refuses the URL `%s`',
    async (url) => {
      expect(await failureOf(openRegistry({ url }))).toMatchObject({
        code: 'usage',
        message: '`url` must be the address of a server: `https://HOST` or `https://HOST:PORT`',
      });
    },
  );
});
