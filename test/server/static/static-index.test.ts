import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import path from 'node:path';
import { openS3Blobs, type S3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { deletePermanently } from '../../../src/server/admin/delete-permanently.ts';
import { StaticIndexPublisher } from '../../../src/server/static/static-index-publisher.ts';
import { indexBodyOf } from '../../../src/server/static/static-layout.ts';
import type { StaticFiles } from '../../../src/server/store/static-records.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { publish } from '../../../src/server/publish/publish.ts';
import { imitateBucket, type ImitatedBucket } from '../../helpers/imitated-bucket.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, TEST_CHECKS, type TestRegistry } from '../../helpers/test-registry.ts';

let bucket: ImitatedBucket;
let blobs: S3Blobs;
let registry: TestRegistry;
let alice: Actor;
let half: StaticIndexPublisher;
let context: TestRegistry['context'];
const logged: string[] = [];

beforeEach(async () => {
  bucket = await imitateBucket();
  blobs = await openS3Blobs(bucket.url, bucket.env, { maxAttempts: 2, backOffMs: 2 });
  registry = await openTestRegistry();
  alice = await registry.tokenOf(await registry.user('alice', true));
  half = makeHalf();
  context = { ...registry.context, blobs, staticIndex: half };
  logged.length = 0;
});
afterEach(async () => {
  await half.stop();
  blobs.close();
  await registry[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

function files(): StaticFiles {
  if (blobs.staticFiles === undefined) throw new Error('no static files');
  return blobs.staticFiles;
}

function makeHalf(over: Partial<StaticFiles> = {}): StaticIndexPublisher {
  const note = (event: string): void => void logged.push(event);
  return new StaticIndexPublisher({
    records: registry.store.records,
    files: { ...files(), ...over },
    clock: { now: () => Date.now() },
    log: { info: note, warning: note, error: note },
  });
}

async function add(name: string, version: string): Promise<void> {
  const body = (async function* () {
    yield publishBody({ name, version }).bytes;
  })();
  const { kind } = await publish(context, { body, actor: alice, isDryRun: false, checks: TEST_CHECKS });
  expect(kind).toBe('published');
}

async function yank(crate: string, version: string, isYanked: boolean): Promise<void> {
  const change = { crate, version, isYanked, reason: null, atMs: 1, actor: alice };
  expect(await registry.store.records.setYanked(change)).toMatchObject({ kind: 'changed' });
}

function index(file: string): string | null {
  const object = bucket.objects.get(`pre/static/index/${file}`);
  return object === undefined ? null : String(object.bytes);
}

function archives(): readonly string[] {
  return [...bucket.objects.keys()].filter((key) => key.startsWith('pre/static/crates/')).toSorted();
}

async function expectCurrent(name: string): Promise<void> {
  const file = await registry.store.records.findIndexFile(name);
  const written = index(path.posix.join(name.slice(0, 2), name.slice(2, 4), name));
  expect(indexBodyOf(written ?? '')).toBe(file?.body ?? '');
}

describe('a crate', () => {
  it('is written as static files when it is published and when it changes', async () => {
    await add('Some-crate', '1.0.0');
    expect(index('so/me/some-crate')).toBeNull();
    expect(await half.flush('Some-crate')).toBe(true);
    await expectCurrent('some-crate');
    const [archive = ''] = archives();
    const { checksum = '' } = (await registry.store.records.findVersion('some-crate', '1.0.0')) ?? {};
    expect(archive).toBe(`pre/static/crates/Some-crate/${checksum}.crate`);
    expect(bucket.objects.get(archive)?.headers['cache-control']).toContain('immutable');
    await add('Some-crate', '1.1.0');
    await yank('some-crate', '1.0.0', true);
    expect(await half.flush('Some-crate')).toBe(true);
    await expectCurrent('some-crate');
    expect(index('so/me/some-crate')).toContain('"yanked":true');
    expect(archives().length).toBe(2);
    const before = bucket.requests.length;
    expect(await half.flush('Some-crate')).toBe(true);
    // Without changes, a flush only checks the index file.
    expect(bucket.requests.slice(before).map(({ method }) => method)).toEqual(['HEAD']);
  });

  it('is removed when it is deleted, and can be published again', async () => {
    await add('gone', '1.0.0');
    await add('gone', '1.1.0');
    await half.flush('gone');
    const deletion = { crate: 'gone', actor: null, reason: '', mayReuseVersions: true };
    await deletePermanently(context, { ...deletion, version: '1.0.0' });
    await expectCurrent('gone');
    expect(archives().length).toBe(1);
    await deletePermanently(context, { ...deletion, version: null });
    expect(index('go/ne/gone')?.trim()).toBe('');
    expect(archives()).toEqual([]);
    await add('gone', '1.0.0');
    await half.flush('gone');
    await expectCurrent('gone');
    expect(archives().length).toBe(1);
  });

  it('matches a loaded snapshot, and crates that are not in the snapshot are removed', async () => {
    const snapshot = path.join(registry.folder, 'snapshot.db');
    await add('kept', '1.0.0');
    await registry.store.records.saveSnapshot(snapshot);
    await add('kept', '1.1.0');
    await add('later', '1.0.0');
    expect(await half.flushAll()).toBe(true);
    await registry.store.records.loadSnapshot(snapshot);
    expect(await half.flushAll()).toBe(true);
    await expectCurrent('kept');
    expect(index('ke/pt/kept')).not.toContain('1.1.0');
    expect(index('la/te/later')?.trim()).toBe('');
    expect(archives().length).toBe(1);
  });
});

describe('several writers', () => {
  it('write a crate in turn, and the result matches the records', async () => {
    await add('busy', '1.0.0');
    const halves = [half, makeHalf(), makeHalf()];
    const settled: Promise<boolean | undefined>[] = [];
    for (let each = 0; each < 20; each += 1) {
      await yank('busy', '1.0.0', each % 2 === 0);
      settled.push(halves[each % 3]?.flush('busy') ?? Promise.resolve(false));
      await wait(7);
    }
    expect(new Set(await Promise.all(settled))).toEqual(new Set([true]));
    await expectCurrent('busy');
  });

  it('never replace a newer state with an old one, even if one writer pauses', async () => {
    await add('slow', '1.0.0');
    await half.flush('slow');
    const before = index('sl/ow/slow');
    await yank('slow', '1.0.0', true);
    // This writer has read the records. It continues only once the crate has changed and looks as before again.
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const results: boolean[] = [];
    const sleeper = makeHalf({
      async write(file, text, options) {
        if (results.length === 0) await stopped;
        results.push(await files().write(file, text, options));
        return results.at(-1) ?? false;
      },
    });
    const asleep = sleeper.flush('slow');
    await wait(50);
    // For this clock, the reservation of the paused writer has expired.
    const later = new StaticIndexPublisher({
      ...{ records: registry.store.records, files: files(), log: registry.context.log },
      clock: { now: () => Date.now() + 120_000 },
    });
    await later.flush('slow');
    await yank('slow', '1.0.0', false);
    await later.flush('slow');
    expect(indexBodyOf(index('sl/ow/slow') ?? '')).toBe(indexBodyOf(before ?? ''));
    goOn();
    expect(await asleep).toBe(true);
    expect(results[0]).toBe(false);
    await expectCurrent('slow');
  });

  it('finish the work of a writer that died', async () => {
    await add('left', '1.0.0');
    const atMs = Date.now() - 100_000;
    const claim = { lowerCaseName: 'left', holder: 'dead', atMs, untilMs: atMs + 60_000 };
    expect((await registry.store.records.beginStaticWrite(claim)).kind).toBe('begun');
    expect(await half.flushAll()).toBe(true);
    await expectCurrent('left');
    // The other writer is alive and may have written an old state, so the crate is due again.
    const end = { lowerCaseName: 'left', holder: 'dead', generation: 1 };
    expect(await registry.store.records.endStaticWrite(end)).toBe(false);
    const behind = { after: '', limit: 9, atMs: Date.now() };
    expect(await registry.store.records.listStaticChanges(behind)).toEqual(['left']);
  });

  it('wait for another writer of the same crate', async () => {
    await add('taken', '1.0.0');
    const atMs = Date.now();
    const claim = { lowerCaseName: 'taken', holder: 'other', atMs, untilMs: atMs + 300 };
    await registry.store.records.beginStaticWrite(claim);
    expect(await registry.store.records.listStaticChanges({ after: '', limit: 9, atMs })).toEqual([]);
    expect(await half.flush('taken')).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(atMs + 300);
    await expectCurrent('taken');
  });
});

it('writes static files once the object store is reachable again', async () => {
  bucket.fault = () => ({ kind: 'status', status: 503 });
  await expect(add('late', '1.0.0')).rejects.toMatchObject({ code: 'network' });
  bucket.fault = () => null;
  await add('late', '1.0.0');
  bucket.fault = () => ({ kind: 'status', status: 503 });
  expect(await half.flush('late')).toBe(false);
  expect(logged).toContain('static-not-written');
  half.start({ staticUrl: 'https://cdn.example/crates', baseUrl: 'https://api.example' }, 20);
  await wait(60);
  bucket.fault = () => null;
  await expect.poll(() => index('la/te/late')).toContain('1.0.0');
  expect(JSON.parse(index('config.json') ?? '')).toEqual({
    dl: 'https://cdn.example/crates/crates/{crate}/{sha256-checksum}.crate',
    api: 'https://api.example',
    'auth-required': false,
  });
});

it('writes static files to an object store without conditional requests', async () => {
  bucket.fault = ({ headers }) =>
    headers['if-none-match'] === undefined && headers['if-match'] === undefined
      ? null
      : { kind: 'status', status: 501, code: 'NotImplemented' };
  await add('plain', '1.0.0');
  expect(await half.flush('plain')).toBe(true);
  await yank('plain', '1.0.0', true);
  expect(await half.flush('plain')).toBe(true);
  await expectCurrent('plain');
});

it('writes an archive before the index file that names it', async () => {
  await add('order', '1.0.0');
  await half.flush('order');
  const writes = bucket.requests.filter(({ method, key }) => method === 'PUT' && key.includes('/static/'));
  expect(writes.map(({ key }) => key.split('/')[2])).toEqual(['crates', 'index']);
});
