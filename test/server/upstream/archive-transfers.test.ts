import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { type BuiltCrate, buildCrate } from '../../helpers/crate.ts';
import { type Mirror, openMirror } from '../../helpers/mirror.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { openTestRegistry, TEST_LIMITS, type TestRegistry } from '../../helpers/test-registry.ts';

/** The size limit of archives. It exceeds the memory buffer of every store. */
const MAX_BYTES = 7_000_000;
const LARGE = '/api/v1/crates/large/1.0.0/download';
const SMALL = '/api/v1/crates/small/1.0.0/download';

let index: RegistryServer;
let large: BuiltCrate;
let small: BuiltCrate;
let bytes: Buffer;
let registry: TestRegistry;
let mirror: Mirror;
/** The paths of requested archives, and the response to `large`. */
let asked: string[];
let answer: (response: ServerResponse) => void | Promise<void>;

const archives = createServer((incoming, response) => {
  asked.push(incoming.url ?? '');
  if (incoming.url === '/small') response.end(small.archive);
  else void answer(response);
});

beforeAll(async () => {
  index = await startRegistryServer();
  const files = { 'src/lib.rs': `// ${randomBytes(5_000_000).toString('base64')}` };
  large = buildCrate({ name: 'large', version: '1.0.0', files }, () => '');
  small = buildCrate({ name: 'small', version: '1.0.0' }, () => '');
  bytes = large.archive ?? Buffer.alloc(0);
  archives.listen(0, '127.0.0.1');
  await once(archives, 'listening');
  const { port } = archives.address() as AddressInfo;
  index.mount('up', { crates: [large, small], config: { dl: `http://127.0.0.1:${port}/{crate}` } });
});
afterAll(async () => {
  archives.closeAllConnections();
  archives.close();
  await index.close();
});
beforeEach(async () => {
  registry = await openTestRegistry();
  const settings = { limits: { ...TEST_LIMITS, maxCrateBytes: MAX_BYTES } };
  mirror = openMirror(registry, `sparse+${index.url}/up/`, { settings });
  asked = [];
  answer = (response) => void response.end(bytes);
});
afterEach(async () => {
  await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

/** Sends `large` in slow parts, with its length if `isTold`. */
async function sendSlowly(response: ServerResponse, { isTold = true } = {}): Promise<void> {
  if (isTold) response.setHeader('content-length', bytes.length);
  const step = Math.ceil(bytes.length / 12);
  for (let at = 0; at < bytes.length; at += step) {
    response.write(bytes.subarray(at, at + step));
    await sleep(20);
  }
  response.end();
}

async function sumOf(response: Response): Promise<string> {
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

async function keptKeys(): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of registry.store.blobs.list()) keys.push(key);
  return keys;
}

/** Returns the names of incomplete files in the folder of blobs. */
function incomplete(): readonly string[] {
  const folder = path.join(registry.folder, 'crates', 'incoming');
  return existsSync(folder) ? readdirSync(folder) : [];
}

it.each([true, false])('downloads an archive once for all clients (length told: %s)', async (isTold) => {
  answer = (response) => sendSlowly(response, { isTold });
  const answers = await Promise.all(Array.from({ length: 20 }, () => mirror.ask(LARGE)));
  const sums = await Promise.all(answers.map(sumOf));
  expect([new Set(sums), asked]).toEqual([new Set([large.checksum]), ['/large']]);
  expect([(await keptKeys()).length, incomplete()]).toEqual([1, []]);
});

it('completes a download for other clients if the first one disconnects', async () => {
  let sending: () => void = () => undefined;
  const isSending = new Promise<void>((resolve) => (sending = resolve));
  answer = async (response) => {
    response.write(bytes.subarray(0, 1000));
    sending();
    await sleep(100);
    response.end(bytes.subarray(1000));
  };
  const { fetch } = createApp(mirror.context);
  const server = createServer((incoming, response) => {
    void getRequestListener((each, env) => fetch(each, env))(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const leaving = request({ host: '127.0.0.1', port, path: LARGE });
    leaving.on('error', () => undefined);
    leaving.end();
    await isSending;
    const other = mirror.ask(LARGE);
    leaving.destroy();
    expect(await sumOf(await other)).toBe(large.checksum);
    expect(await sumOf(await mirror.ask(LARGE))).toBe(large.checksum);
    expect(asked).toEqual(['/large']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('serves other archives while one is slow', async () => {
  let end: () => void = () => undefined;
  answer = (response) => {
    response.write(bytes.subarray(0, 1000));
    const timer = setInterval(() => response.write(bytes.subarray(0, 100)), 50);
    end = () => {
      clearInterval(timer);
      response.destroy();
    };
  };
  const slow = mirror.ask(LARGE);
  expect(await sumOf(await mirror.ask(SMALL))).toBe(small.checksum);
  answer = (response) => void response.end(bytes);
  end();
  expect(await sumOf(await slow)).toBe(large.checksum);
});

describe('an archive', () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      'where less comes than was told',
      (response) => {
        response.writeHead(200, { 'content-length': bytes.length + 10 });
        response.write(bytes, () => response.destroy());
      },
      /\[18\] Transferred a partial file/,
    ],
    [
      'where more comes than was told',
      (response) => {
        response.writeHead(200, { 'content-length': bytes.length - 10 });
        response.end(bytes);
      },
      /checksum does not match the index/,
    ],
    [
      'where more comes than is taken',
      (response) => {
        const more = (): void => {
          if (!response.destroyed) response.write(bytes, () => setImmediate(more));
        };
        more();
      },
      /Exceeded the maximum allowed file size \(7000000\)/,
    ],
    [
      'where nothing comes any more',
      (response) => void response.write(bytes.subarray(0, 5_000_000)),
      /transfer too slow: failed to transfer more than \d+ bytes in 1s/,
    ],
    ['where it is empty', (response) => void response.end(), /checksum does not match the index/],
    [
      'where it comes in an encoding',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'br' });
        response.end(bytes);
      },
      /\[61\] .*`br` was not asked for/,
    ],
  ])('is neither cached nor sent %s', { timeout: 20_000 }, async (_, answersSo, words) => {
    answer = answersSo;
    const refused = await mirror.ask(LARGE);
    expect([refused.status, await refused.text()]).toEqual([502, expect.stringMatching(words)]);
    expect([await keptKeys(), incomplete()]).toEqual([[], []]);
    answer = (response) => void response.end(bytes);
    registry.nowMs += 31_000;
    expect(await sumOf(await mirror.ask(LARGE))).toBe(large.checksum);
    expect(await sumOf(await mirror.ask(SMALL))).toBe(small.checksum);
  });
});
