import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IndexBodies } from '../../src/server/http/index-bodies.ts';
import { listen } from '../../src/server/http/listen.ts';
import {
  MAX_INDEX_FILE_BYTES,
  MAX_INDEX_LINE_BYTES,
  MAX_MIRRORED_FILE_BYTES,
  MAX_MIRRORED_LINE_BYTES,
} from '../../src/server/store/index-limits.ts';
import { checkIndexFile } from '../../src/server/upstream/check-index-file.ts';
import { openMirror } from '../helpers/mirror.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { startRegistryServer } from '../helpers/registry-server.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { largeIndexBody, readSlowly, replaceIndexBody, residentMb } from '../helpers/slow-readers.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { openTestRegistry } from '../helpers/test-registry.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('index-bounds');
});
afterEach(() => temp.remove());

/** Returns features that make the index line of a version longer than `bytes`. */
function featuresOf(bytes: number): Record<string, readonly string[]> {
  const length = 60;
  const names = Array.from({ length: bytes / length }, (_, number) => `f${number}`.padEnd(length, '-'));
  return Object.fromEntries(names.map((name) => [name, []]));
}

describe('publishing', () => {
  it('refuses a version whose index line would be too long, and creates no crate', async () => {
    await using registry = await openTestRegistry();
    const limits = { ...registry.context.settings.limits, maxMetadataBytes: 1_000_000 };
    Object.assign(registry.context.settings, { limits });
    const actor = await registry.tokenOf(await registry.user('alice'));
    const bodyOf = (bytes: number): Buffer =>
      publishBody({ name: 'wide', version: '1.0.0' }, { features: featuresOf(bytes) }).bytes;
    const refused = await registry.publish(actor, bodyOf(MAX_INDEX_LINE_BYTES));
    expect(refused).toMatchObject({ kind: 'refused', status: 400 });
    expect(refused).toHaveProperty(
      'detail',
      expect.stringMatching(/in the index would have 1\d{5} bytes \(max 131072\)/),
    );
    expect(await registry.store.records.findCrate('wide')).toBeNull();
  });

  it.skipIf(process.env['TSREG_TEST_DATABASE'] !== undefined)(
    'refuses a version that would make the index file too large (only with SQLite: writes rows to its file)',
    async () => {
      await using registry = await openTestRegistry();
      const actor = await registry.tokenOf(await registry.user('alice'));
      const first = publishBody({ name: 'tall', version: '0.1.0' });
      expect(await registry.publish(actor, first.bytes)).toMatchObject({ kind: 'published' });
      const body = largeIndexBody('tall', MAX_INDEX_FILE_BYTES);
      const rest = ' '.repeat(MAX_INDEX_FILE_BYTES - body.length - 1);
      await replaceIndexBody(path.join(registry.folder, 'registry.db'), 'tall', `${rest}\n${body}`);
      expect(
        await registry.publish(actor, publishBody({ name: 'tall', version: '0.2.0' }).bytes),
      ).toMatchObject({
        kind: 'refused',
        status: 400,
        detail:
          'the index file of the crate `tall` has 16777216 bytes, and cannot take another version (max 16777216)',
      });
    },
  );
});

describe('the mirror', () => {
  const lineOf = (bytes: number): Buffer =>
    Buffer.from(
      JSON.stringify({ name: 'a', vers: '1.0.0', cksum: '0'.repeat(64), pad: 'x'.repeat(bytes) }) + '\n',
    );

  it('refuses an index file with a line that is too long', () => {
    expect(checkIndexFile(lineOf(MAX_MIRRORED_LINE_BYTES - 200), 'a')).toHaveProperty('body');
    expect(checkIndexFile(lineOf(MAX_MIRRORED_LINE_BYTES), 'a')).toEqual({
      problem: `line 1 is longer than ${MAX_MIRRORED_LINE_BYTES} bytes`,
    });
  });

  it('serves an index file as large as the largest of crates.io, `leptos_icons`', async () => {
    const server = await startRegistryServer();
    await using registry = await openTestRegistry();
    const body = lineOf(1_250_000).toString().repeat(17);
    server.mount('up', { crates: [], faults: [{ path: '1/a', kind: 'status', status: 200, body }] });
    const mirror = openMirror(registry, `sparse+${server.url}/up/`);
    const response = await mirror.ask('/index/1/a');
    expect([response.status, (await response.text()).length]).toEqual([200, body.length]);
    await mirror.upstream.close();
    await server.close();
  });

  it('responds with 502 if an index file is too large', async () => {
    const server = await startRegistryServer();
    await using registry = await openTestRegistry();
    const body = largeIndexBody('big', MAX_MIRRORED_FILE_BYTES + 300_000);
    server.mount('up', {
      crates: [],
      faults: [{ path: 'big', kind: 'status', status: 200, body }],
    });
    const mirror = openMirror(registry, `sparse+${server.url}/up/`);
    const response = await mirror.ask('/index/3/b/big');
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringContaining('Exceeded the maximum allowed file size'),
    ]);
    await mirror.upstream.close();
    await server.close();
  });
});

describe('a command', () => {
  it.each([
    ['an index file of more than 64 MiB', '3/b/big', 64 * 1024 * 1024],
    ['a `config.json` of more than a megabyte', 'config.json', 1024 * 1024],
  ])('refuses %s', async (_, file, max) => {
    const server = await startRegistryServer();
    const body = ' '.repeat(max + 1);
    server.mount('up', { crates: [], faults: [{ path: file, kind: 'status', status: 200, body }] });
    const home = path.join(temp.path, 'home');
    const { status, stderr } = await runProgram(
      tsregProgram(),
      ['info', 'big', '--index', `sparse+${server.url}/up/`],
      {
        cwd: temp.path,
        env: { PATH: process.env['PATH'] ?? '', HOME: home, CARGO_HOME: home, CARGO_NET_RETRY: '0' },
      },
    );
    await server.close();
    expect(status).toBe(101);
    expect(stderr).toContain(`Exceeded the maximum allowed file size (${max})`);
  });
});

describe('IndexBodies', () => {
  const bytesOf = (length: number) => () => Promise.resolve(new Uint8Array(length));

  it('builds a body once for concurrent requests', async () => {
    const bodies = new IndexBodies(100);
    let builds = 0;
    const build = async (): Promise<Uint8Array<ArrayBuffer>> => {
      builds += 1;
      await sleep(5);
      return new Uint8Array(60);
    };
    const held = await Promise.all(Array.from({ length: 50 }, () => bodies.take('a', build)));
    expect(builds).toBe(1);
    expect(new Set(held.map((body) => body?.bytes)).size).toBe(1);
  });

  it('builds small bodies even if slow readers use up the limit', async () => {
    const bodies = new IndexBodies(100, 10);
    const large = await bodies.take('large', bytesOf(95));
    const small = await bodies.take('small', bytesOf(10));
    expect(small?.bytes.length).toBe(10);
    await expect(bodies.take('other', bytesOf(11))).rejects.toMatchObject({ status: 503 });
    small?.release();
    large?.release();
    await sleep(5);
    expect(bodies.isOverloaded).toBe(false);
    expect((await bodies.take('other', bytesOf(100)))?.bytes.length).toBe(100);
  });

  it('stays within its limit: keeps bodies in use and evicts the others by last use', async () => {
    const bodies = new IndexBodies(100);
    const read = await bodies.take('read', bytesOf(50));
    (await bodies.take('old', bytesOf(30)))?.release();
    (await bodies.take('new', bytesOf(20)))?.release();
    await sleep(5);
    (await bodies.take('more', bytesOf(30)))?.release();
    await sleep(5);
    const unexpected = (): Promise<never> => Promise.reject(new Error('made again'));
    expect((await bodies.take('new', unexpected))?.bytes.length).toBe(20);
    await expect(bodies.take('old', unexpected)).rejects.toThrow('made again');
    await expect(bodies.take('large', bytesOf(90))).rejects.toMatchObject({ status: 503 });
    read?.release();
    await sleep(5);
  });
});

describe('a server', () => {
  it.skipIf(process.platform !== 'linux' || process.env['TSREG_TEST_DATABASE'] !== undefined)(
    'keeps one copy of a large index file for slow readers, and serves others (only on Linux with SQLite: reads `/proc`)',
    async () => {
      await using server = await serveRegistry(path.join(temp.path, 'data'));
      const token = await server.token('alice');
      await server.publish({ name: 'big', version: '1.0.0' }, token);
      const body = largeIndexBody('big', 8_000_000);
      await replaceIndexBody(path.join(server.data, 'registry.db'), 'big', body);
      const pid = server.child.pid ?? 0;
      const before = residentMb(pid);
      const readers = await Promise.all(
        Array.from({ length: 40 }, () => readSlowly(server.url, '/index/3/b/big')),
      );
      let most = 0;
      for (let round = 0; round < 5; round += 1, await sleep(50)) most = Math.max(most, residentMb(pid));
      expect(most - before).toBeLessThan(150);
      const plain = await fetch(`${server.url}/index/3/b/big`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect([plain.headers.get('content-length'), (await plain.text()) === body]).toEqual([
        String(body.length),
        true,
      ]);
      const head = await fetch(`${server.url}/index/3/b/big`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const compressed = await fetch(`${server.url}/index/3/b/big`);
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      expect((await compressed.text()) === body).toBe(true);
      for (const reader of readers) reader.destroy();
    },
    20_000,
  );

  it.skipIf(process.env['TSREG_TEST_DATABASE'] !== undefined)(
    'limits how many large files one address reads at a time (only with SQLite: writes rows to its file)',
    async () => {
      await using server = await serveRegistry(path.join(temp.path, 'data'));
      await server.publish({ name: 'big', version: '1.0.0' }, await server.token('alice'));
      await replaceIndexBody(path.join(server.data, 'registry.db'), 'big', largeIndexBody('big', 8_000_000));
      const ask = (): Promise<Socket> => readSlowly(server.url, '/index/3/b/big');
      const readers = await Promise.all(Array.from({ length: 64 }, ask));
      const asked = await fetch(`${server.url}/index/3/b/big`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect(asked.status).toBe(429);
      for (const reader of readers) reader.destroy();
      const again = async (): Promise<number> => {
        const response = await fetch(`${server.url}/index/3/b/big`, {
          headers: { 'accept-encoding': 'identity' },
        });
        await response.body?.cancel();
        return response.status;
      };
      await expect.poll(again, { timeout: 3_000 }).toBe(200);
    },
    20_000,
  );

  it('closes a connection that sends many requests without reading the responses', async () => {
    const listener = await listen({ address: { host: '127.0.0.1', port: 0 }, tls: null });
    let answered = 0;
    listener.serve(() => {
      answered += 1;
      return new Response('x'.repeat(1000));
    });
    const ask = async (count: number): Promise<number> => {
      const socket = connect(listener.address.port, '127.0.0.1');
      socket.on('error', () => undefined);
      let length = 0;
      socket.on('data', (chunk) => (length += chunk.length));
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
      await Promise.race([once(socket, 'close'), sleep(300)]);
      socket.destroy();
      return length;
    };
    expect(await ask(1000)).toBe(0);
    expect(answered).toBeLessThan(8);
    expect(await ask(4)).toBeGreaterThan(4000);
    // Sequential requests on one connection are not limited.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 50; i += 1) {
      const request = get({ port: listener.address.port, host: '127.0.0.1', agent });
      const [response]: IncomingMessage[] = await once(request, 'response');
      expect(response?.statusCode).toBe(200);
      await once(response?.resume() ?? request, 'end');
    }
    agent.destroy();
    await listener.stop(0);
  });

  it('closes connections beyond the limit per address and beyond the total limit', async () => {
    const connections = { max: 5, maxOfClient: 3, isProxy: () => false };
    const listener = await listen({ address: { host: '127.0.0.1', port: 0 }, tls: null, connections });
    const open = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port: listener.address.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'close'), sleep(100)]);
      return socket;
    };
    const isOpen = (socket: Socket): boolean => !socket.destroyed && socket.readyState === 'open';
    const first = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.1')));
    expect(first.filter(isOpen)).toHaveLength(3);
    const second = await Promise.all(Array.from({ length: 4 }, () => open('127.0.0.2')));
    expect(second.filter(isOpen)).toHaveLength(2);
    for (const socket of [...first, ...second]) socket.destroy();
    await sleep(50);
    const later = await open('127.0.0.1');
    expect(isOpen(later)).toBe(true);
    later.destroy();
    await listener.stop(0);
  });
});
