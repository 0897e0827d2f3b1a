import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;

/** The versions of each crate in the order of their publication; those with `!` are yanked. */
const CRATES: Readonly<Record<string, readonly string[]>> = {
  one: ['1.0.0'],
  'many-of': ['1.9.0', '1.10.0', '1.2.0', '2.0.0', '2.1.0-rc.1', '!3.0.0', '1.2.1'],
  late: ['0.1.0', '0.2.0-beta.1', '!0.1.1'],
  pre: ['1.0.0-a+stable', '1.0.0-b'],
  none: ['!1.0.0', '!1.1.0-rc.1'],
};

beforeAll(async () => {
  registry = await openTestRegistry();
  const actor = await registry.tokenOf(await registry.user('alice'));
  for (const [crate, versions] of Object.entries(CRATES)) {
    for (const marked of versions) {
      const version = marked.replace('!', '');
      await registry.publish(actor, publishBody({ name: crate, version }).bytes);
      if (version === marked) continue;
      const yank = { crate, version, isYanked: true, reason: null, atMs: registry.nowMs, actor };
      await registry.store.records.setYanked(yank);
    }
  }
});

afterAll(() => registry[Symbol.asyncDispose]());

describe('the details of crates', () => {
  it.each([
    ['one', { versionCount: 1, newestVersion: '1.0.0', maxStableVersion: '1.0.0', shown: '1.0.0' }],
    ['many-of', { versionCount: 7, newestVersion: '1.2.1', maxStableVersion: '2.0.0', shown: '2.1.0-rc.1' }],
    [
      'late',
      { versionCount: 3, newestVersion: '0.2.0-beta.1', maxStableVersion: '0.1.0', shown: '0.2.0-beta.1' },
    ],
    ['pre', { versionCount: 2, newestVersion: '1.0.0-b', maxStableVersion: null, shown: '1.0.0-b' }],
    ['none', { versionCount: 2, newestVersion: null, maxStableVersion: null, shown: '1.1.0-rc.1' }],
  ])('of `%s` count and compare its versions', async (name, { shown, ...facts }) => {
    const [details, ...others] = await registry.store.records.describeCrates([name]);
    expect(details).toMatchObject({
      ...facts,
      crate: { name, maxVersion: shown },
      shown: { version: shown },
    });
    expect(others).toEqual([]);
  });

  it('come in the requested order, in any spelling, without crates that do not exist', async () => {
    const names = ['PRE', 'nope', 'Many_Of', 'one', "'"];
    const found = await registry.store.records.describeCrates(names);
    expect(found.map(({ crate }) => crate.name)).toEqual(['pre', 'many-of', 'one']);
    expect(await registry.store.records.describeCrates(['nope'])).toEqual([]);
    expect(await registry.store.records.describeCrates([])).toEqual([]);
  });
});

it('lists versions by number, or the last published first', async () => {
  const list = async (order: 'number' | 'published'): Promise<readonly string[]> => {
    const { items } = await registry.store.records.listVersions('many_of', { limit: 3, offset: 1, order });
    return items.map(({ version }) => version);
  };
  expect(await list('number')).toEqual(['2.1.0-rc.1', '2.0.0', '1.10.0']);
  expect(await list('published')).toEqual(['3.0.0', '2.1.0-rc.1', '2.0.0']);
});

it('knows the ID and the publisher of each version', async () => {
  const user = await registry.user('alice');
  await registry.store.records.updateUser(user.id, { name: 'Alice A' });
  const { items } = await registry.store.records.listVersions('many-of', { limit: 9, offset: 0 });
  expect(new Set(items.map(({ id }) => id)).size).toBe(7);
  expect(items[0]).toMatchObject({ publishedBy: 'alice', publisherId: user.id, publisherName: 'Alice A' });
});
