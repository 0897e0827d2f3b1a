import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { verifyStore } from '../../src/server/admin/verify-store.ts';
import { type BuiltCrate, buildCrate } from '../helpers/crate.ts';
import { HTTP, type Mirror, openMirror } from '../helpers/mirror.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { openTestRegistry, TEST_LIMITS, type TestRegistry } from '../helpers/test-registry.ts';

const CRATE_BYTES = 50_000;
const COUNT = 8;
/** Space for four of the eight crates. */
const QUOTA = 4.5 * CRATE_BYTES;
const HOUR_MS = 60 * 60_000;

const crates: readonly BuiltCrate[] = Array.from({ length: COUNT }, (_, number) =>
  buildCrate(
    {
      name: `crate-${number}`,
      version: '1.0.0',
      files: { 'noise.txt': randomBytes(CRATE_BYTES * 0.5).toString('hex') },
    },
    (registry) => registry,
  ),
);

let server: RegistryServer;
let registry: TestRegistry;
const mirrors: Mirror[] = [];
beforeEach(async () => {
  server = await startRegistryServer();
  server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
  registry = await openTestRegistry();
});
afterEach(async () => {
  for (const mirror of mirrors.splice(0)) await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
  await server.close();
});

function open(quotaBytes: number | null = QUOTA): Mirror {
  const settings = { limits: { ...TEST_LIMITS, maxCrateBytes: 100_000 } };
  const mirror = openMirror(registry, `sparse+${server.url}/up/`, { quotaBytes, settings, http: HTTP });
  mirrors.push(mirror);
  return mirror;
}

const download = (mirror: Mirror, number: number): Promise<Response> =>
  mirror.ask(`/api/v1/crates/crate-${number}/1.0.0/download`);

/** Downloads a crate as a client does, two hours after the previous download. */
async function pull(mirror: Mirror, number: number): Promise<number> {
  registry.nowMs += 2 * HOUR_MS;
  const response = await download(mirror, number);
  expect(Buffer.from(await response.arrayBuffer()).equals(crates[number]?.archive ?? Buffer.alloc(0))).toBe(
    true,
  );
  return response.status;
}

async function kept(): Promise<readonly string[]> {
  const checksums = new Map(crates.map(({ checksum }, number) => [checksum, `crate-${number}`]));
  const names: string[] = [];
  for await (const { checksum, blobKey } of registry.store.records.eachMirroredArchive()) {
    expect(await registry.store.blobs.stat(blobKey)).not.toBeNull();
    names.push(checksums.get(checksum) ?? checksum);
  }
  return names.toSorted();
}

async function blobCount(): Promise<number> {
  let count = 0;
  for await (const _ of registry.store.blobs.list()) count += 1;
  return count;
}

const within = expect.poll.bind(expect);

it('stays below the quota by evicting the least recently used crates', async () => {
  const mirror = open();
  for (let number = 0; number < COUNT; number += 1) {
    await pull(mirror, number);
    if (number > 0) await pull(mirror, 0);
    await within(() => registry.store.records.sumMirrored()).toBeLessThanOrEqual(QUOTA);
  }
  await within(blobCount).toBe(4);
  expect(await kept()).toEqual(['crate-0', 'crate-5', 'crate-6', 'crate-7']);
  const metrics = await (await mirror.ask('/metrics')).text();
  expect(metrics).toMatch(/^tsreg_upstream_quota_bytes 225000$/m);
  expect(metrics).toMatch(/^tsreg_upstream_evicted_total [4-9]$/m);
  expect(Number(/^tsreg_upstream_kept_bytes (\d+)$/m.exec(metrics)?.[1])).toBeLessThanOrEqual(QUOTA);
  expect(mirror.log.map(({ event }) => event)).toContain('upstream-evicted');
});

it('downloads an evicted crate from the upstream again', async () => {
  const mirror = open();
  for (let number = 0; number < COUNT; number += 1) await pull(mirror, number);
  await within(kept).not.toContain('crate-0');
  expect(await pull(mirror, 0)).toBe(200);
  expect(await kept()).toContain('crate-0');
});

it('never evicts a published crate', async () => {
  const actor = await registry.tokenOf(await registry.user('alice'));
  const { bytes } = publishBody({ name: 'own', version: '1.0.0' });
  expect(await registry.publish(actor, bytes)).toMatchObject({ kind: 'published' });
  const mirror = open(100_000);
  for (let number = 0; number < COUNT; number += 1) await pull(mirror, number);
  await within(() => registry.store.records.sumMirrored()).toBeLessThanOrEqual(100_000);
  expect((await mirror.ask('/api/v1/crates/own/1.0.0/download')).status).toBe(200);
  expect((await mirror.ask('/index/3/o/own')).status).toBe(200);
});

it('evicts at startup what a server without a quota has stored', async () => {
  const before = open(null);
  for (let number = 0; number < COUNT; number += 1) await pull(before, number);
  expect(await kept()).toHaveLength(COUNT);
  open();
  await within(kept).toEqual(['crate-4', 'crate-5', 'crate-6', 'crate-7']);
});

it('counts the downloads of another server with the same store', async () => {
  const [first, second] = [open(), open()];
  for (let number = 0; number < 4; number += 1) await pull(first, number);
  for (let number = 4; number < COUNT; number += 1) await pull(second, number);
  await within(() => registry.store.records.sumMirrored()).toBeLessThanOrEqual(QUOTA);
  expect(await pull(first, 0)).toBe(200);
});

it('evicts index files, but not the fact that the crates exist', async () => {
  const before = open(null);
  for (let number = 0; number < 3; number += 1) {
    registry.nowMs += HOUR_MS;
    await before.ask(`/index/cr/at/crate-${number}`);
  }
  const { records } = registry.store;
  const uses = await records.listLeastUsedMirrored(10);
  expect(uses.map((use) => (use.kind === 'index' ? use.file.lowerCaseName : use.kind))).toEqual([
    'crate-0',
    'crate-1',
    'crate-2',
  ]);
  for (const use of uses) expect(await records.evictMirrored(use)).toBe(true);
  for (const use of uses) expect(await records.evictMirrored(use)).toBe(false);
  expect([await records.sumMirrored(), await records.listLeastUsedMirrored(10)]).toEqual([0, []]);
  // While the upstream fails, the evicted file does not count as empty.
  server.unmount('up');
  server.mount('up', { crates: [], faults: [{ path: 'crate-', kind: 'status', status: 500 }] });
  const away = await before.ask('/index/cr/at/crate-0');
  expect(away.status).toBe(502);
  registry.nowMs += HOUR_MS;
  server.mount('up', { crates });
  expect(await (await before.ask('/index/cr/at/crate-0')).text()).toBe(`${crates[0]?.indexLine}\n`);
  // The name of a crate that the upstream has removed stays in use.
  server.mount('up', { crates: [] });
  expect(await before.upstream.findSameName('crate_1')).toBe('crate-1');
});

it('does not evict a crate that was used after its selection for eviction', async () => {
  const mirror = open(null);
  await pull(mirror, 0);
  const { records } = registry.store;
  const uses = await records.listLeastUsedMirrored(10);
  await pull(mirror, 0);
  const archive = uses.find(({ kind }) => kind === 'archive');
  if (archive === undefined) throw new Error('no archive');
  expect(await records.evictMirrored(archive)).toBe(false);
  expect(await kept()).toEqual(['crate-0']);
});

it('serves an archive that is evicted during the request', async () => {
  const mirror = open(null);
  await pull(mirror, 0);
  const { blobs, records } = registry.store;
  let isFirst = true;
  const app = createApp({
    ...mirror.context,
    blobs: {
      ...blobs,
      async open(key, range) {
        if (isFirst) {
          for (const use of await records.listLeastUsedMirrored(10)) await records.evictMirrored(use);
          await blobs.delete(key);
        }
        isFirst = false;
        return await blobs.open(key, range);
      },
    },
  });
  const response = await app.fetch(new Request('http://x/api/v1/crates/crate-0/1.0.0/download'), {});
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([
    200,
    crates[0]?.archive?.length,
  ]);
});

it('passes `serve verify` after and during an eviction', async () => {
  const mirror = open();
  for (let number = 0; number < COUNT; number += 1) await pull(mirror, number);
  // A blob is deleted after its record.
  await within(blobCount).toBe(4);
  const options = { nowMs: Date.now() + 48 * HOUR_MS, removeUnreferenced: false, forgetDamaged: false };
  const { records, blobs } = registry.store;
  expect(await verifyStore(registry.store, options)).toMatchObject({
    problems: [],
    mirrored: { missing: 0, damaged: [] },
    unreferenced: [],
  });
  const evicting = {
    ...records,
    async *eachMirroredArchive() {
      for await (const archive of records.eachMirroredArchive()) {
        await records.evictMirrored({ kind: 'archive', archive });
        await blobs.delete(archive.blobKey);
        yield archive;
      }
    },
  };
  expect(await verifyStore({ records: evicting, blobs }, options)).toMatchObject({
    problems: [],
    mirrored: { archives: 0, missing: 0, damaged: [] },
    unreferenced: [],
  });
});

it('refuses a quota that is too small for one archive', () => {
  expect(() => open(50_000)).toThrow('`--upstream-quota` must not be smaller than `--max-upload`');
});
