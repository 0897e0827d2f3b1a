import { afterAll, beforeAll, expect, it } from 'vitest';
import { readVersions } from '../../../../src/server/http/api/read-versions.ts';
import type { ServerContext } from '../../../../src/server/server-context.ts';
import type { PageRequest, Version } from '../../../../src/server/store/values.ts';
import { present } from '../../../../src/core/errors/assert.ts';
import { publishBody } from '../../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../../helpers/test-registry.ts';

let registry: TestRegistry;
let model: Version;

beforeAll(async () => {
  registry = await openTestRegistry();
  const actor = await registry.tokenOf(await registry.user('alice'));
  await registry.publish(actor, publishBody({ name: 'many', version: '1.0.0' }).bytes);
  model = present(await registry.store.records.findVersion('many', '1.0.0'), 'the version');
});

afterAll(() => registry[Symbol.asyncDispose]());

/** Returns a context whose crates have `total` versions with descriptions of that length, and the requested pages. */
function contextWith(total: number, descriptionLength = 0): { context: ServerContext; pages: PageRequest[] } {
  const pages: PageRequest[] = [];
  const metadata = { ...model.metadata, description: 'x'.repeat(descriptionLength) };
  const listVersions: ServerContext['records']['listVersions'] = async (_, { limit, offset }) => {
    pages.push({ limit, offset });
    const count = Math.max(0, Math.min(limit, total - offset));
    const items = Array.from({ length: count }, (_item, index) => ({
      ...model,
      metadata,
      id: offset + index,
    }));
    return { items, total };
  };
  return { context: { ...registry.context, records: { ...registry.context.records, listVersions } }, pages };
}

it('reads versions in batches of 50, up to the limit', async () => {
  const { context, pages } = contextWith(1000);
  const part = await readVersions(context, 'many', { limit: 120, offset: 30 });
  expect(pages).toEqual([
    { limit: 50, offset: 30 },
    { limit: 50, offset: 80 },
    { limit: 20, offset: 130 },
  ]);
  expect(part).toMatchObject({ versions: { length: 120 }, total: 1000, nextOffset: 150 });
  expect([part.versionIds[0], part.versionIds.at(-1)]).toEqual([30, 149]);
});

it('stops after about 4 MB, and says where to continue', async () => {
  const { context, pages } = contextWith(1000, 30_000);
  const part = await readVersions(context, 'many', { limit: 1000, offset: 0 });
  expect([pages.length, part.versions.length, part.nextOffset]).toEqual([3, 150, 150]);
});

it('has no next part at the end', async () => {
  const { context } = contextWith(60);
  expect(await readVersions(context, 'many', { limit: 60, offset: 0 })).toMatchObject({
    ...{ versions: { length: 60 }, nextOffset: null },
  });
  expect(await readVersions(context, 'many', { limit: 50, offset: 0 })).toMatchObject({ nextOffset: 50 });
  expect(await readVersions(context, 'many', { limit: 50, offset: 99 })).toMatchObject({
    ...{ versions: [], nextOffset: null },
  });
});

it('lets other requests run between batches', async () => {
  const { context, pages } = contextWith(1000);
  const batchesBefore: number[] = [];
  const note = (): void => {
    batchesBefore.push(pages.length);
    if (batchesBefore.length < 3) setImmediate(note);
  };
  setImmediate(note);
  await readVersions(context, 'many', { limit: 1000, offset: 0 });
  expect(batchesBefore).toHaveLength(3);
  expect(Math.max(...batchesBefore)).toBeLessThan(20);
});
