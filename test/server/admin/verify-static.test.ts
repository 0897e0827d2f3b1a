import { afterEach, beforeEach, expect, it } from 'vitest';
import { openS3Blobs, type S3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { publish } from '../../../src/server/publish/publish.ts';
import { StaticIndexPublisher } from '../../../src/server/static/static-index-publisher.ts';
import { type StaticVerifyResult, verifyStatic } from '../../../src/server/admin/verify-static.ts';
import { imitateBucket, type ImitatedBucket } from '../../helpers/imitated-bucket.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, TEST_CHECKS, type TestRegistry } from '../../helpers/test-registry.ts';

let bucket: ImitatedBucket;
let blobs: S3Blobs;
let registry: TestRegistry;
beforeEach(async () => {
  bucket = await imitateBucket();
  blobs = await openS3Blobs(bucket.url, bucket.env);
  registry = await openTestRegistry();
  const actor = await registry.tokenOf(await registry.user('alice'));
  for (const name of ['first', 'second']) {
    const body = (async function* () {
      yield publishBody({ name, version: '1.0.0' }).bytes;
    })();
    const { kind } = await publish(
      { ...registry.context, blobs },
      { body, actor, isDryRun: false, checks: TEST_CHECKS },
    );
    expect(kind).toBe('published');
  }
});
afterEach(async () => {
  blobs.close();
  await registry[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
});

async function verify(isRepairing = false): Promise<StaticVerifyResult | null> {
  const files = blobs.staticFiles;
  if (files === undefined) throw new Error('no static files');
  return await verifyStatic({ records: registry.store.records, files }, { isRepairing });
}

function find(part: string): string {
  return [...bucket.objects.keys()].find((key) => key.includes(part)) ?? '';
}

it('finds static files that do not match the records, and repairs them', async () => {
  expect(await verify()).toBeNull();
  const { records } = registry.store;
  const { log } = registry.context;
  const files = blobs.staticFiles;
  if (files === undefined) throw new Error('no static files');
  const half = new StaticIndexPublisher({ records, files, log, clock: { now: () => Date.now() } });
  half.start({ staticUrl: 'http://files', baseUrl: 'http://server' }, 60_000);
  await expect.poll(async () => (await verify())?.problems).toEqual([]);
  await half.stop();

  const object = { bytes: Buffer.from('x'), headers: {}, changedAtMs: 1 };
  bucket.objects.set(find('static/index/fi/rs'), { ...object, bytes: Buffer.from('{}\n') });
  bucket.objects.delete(find('static/crates/second/'));
  bucket.objects.set('pre/static/index/no/ne/none', object);
  bucket.objects.set('pre/static/crates/none/x.crate', object);
  bucket.objects.set(`pre/static/crates/second/${'0'.repeat(64)}.crate`, object);
  const found = await verify();
  expect(found?.problems.map(({ crate, message }) => `${crate}: ${message}`).toSorted()).toEqual([
    'first: its static index file does not match the records',
    'none: its static index file does not match the records',
    'null: `crates/none/x.crate` belongs to no crate',
    'second: 1 of its static .crate files are missing',
  ]);
  expect(found?.repaired).toBe(0);
  expect((await verify(true))?.repaired).toBe(4);
  expect(await verify()).toEqual({ crates: 2, problems: [], repaired: 0 });

  bucket.objects.set(`pre/static/crates/second/${'0'.repeat(64)}.crate`, object);
  expect((await verify(true))?.problems).toMatchObject([{ crate: 'second' }]);
  expect(await verify()).toEqual({ crates: 2, problems: [], repaired: 0 });
});
