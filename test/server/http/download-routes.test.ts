import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import type { Blobs } from '../../../src/server/store/blobs.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const PATH = '/api/v1/crates/mug/1.0.0/download';

let registry: TestRegistry;
let alice: Actor;
/** The number of files that were opened. */
let opened: number;
/** What the store sends in place of each file; null for the file. */
let damage: ((bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>) | null;
let fetch: (path: string, headers?: Record<string, string>) => Promise<Response>;
beforeEach(async () => {
  registry = await openTestRegistry();
  alice = await registry.tokenOf(await registry.user('alice', true));
  opened = 0;
  damage = null;
  const blobs: Blobs = { ...registry.store.blobs, open: openCounted };
  const app = createApp({ ...registry.context, blobs });
  fetch = async (path, headers = {}) => await app.fetch(new Request(`http://x${path}`, { headers }), {});
});
afterEach(async () => await registry[Symbol.asyncDispose]());

async function openCounted(...given: Parameters<Blobs['open']>): ReturnType<Blobs['open']> {
  opened += 1;
  const content = await registry.store.blobs.open(...given);
  if (content === null || damage === null) return content;
  const bytes = damage(new Uint8Array(await new Response(content.stream).arrayBuffer()));
  return { size: bytes.length, stream: new Blob([bytes]).stream() };
}

async function publish(files: Readonly<Record<string, string>> = {}): Promise<void> {
  const decl = { name: 'mug', version: '1.0.0', files: { 'src/lib.rs': '', ...files } };
  await registry.publish(alice, publishBody(decl).bytes);
}

async function download(headers?: Record<string, string>): Promise<Uint8Array> {
  const response = await fetch(PATH, headers);
  expect([response.status, response.headers.get('content-length')]).toEqual([
    ...[headers === undefined ? 200 : 206, expect.any(String)],
  ]);
  return new Uint8Array(await response.arrayBuffer());
}

describe('a download of a small file', () => {
  beforeEach(async () => await publish());

  it('comes from memory if the file was read recently', async () => {
    const first = await download();
    expect(await download()).toEqual(first);
    expect([first.length > 0, opened]).toEqual([true, 1]);
  });

  it('reads a range from the file', async () => {
    const whole = await download();
    expect(await download({ range: 'bytes=5-9' })).toEqual(whole.subarray(5, 10));
    expect(opened).toBe(2);
  });

  it('sends a damaged file as it is until it is repaired', async () => {
    damage = (bytes) => bytes.fill(0);
    expect(new Set(await download())).toEqual(new Set([0]));
    damage = null;
    expect((await download())[0]).toBe(0x1f);
  });

  it('finds no version that was deleted', async () => {
    await download();
    await registry.store.records.deleteVersion({
      ...{ crate: 'mug', version: '1.0.0', actor: null, reason: null, atMs: registry.nowMs },
      ...{ mayReuseVersions: false, nameReservedUntilMs: 0 },
    });
    expect((await fetch(PATH)).status).toBe(404);
  });
});

it('reads a large file for every download', async () => {
  await publish({ 'large.bin': randomBytes(100_000).toString('latin1') });
  const first = await download();
  expect(await download()).toEqual(first);
  expect([first.length > 100_000, opened]).toEqual([true, 2]);
});
