import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishMetadata } from '../../../src/core/protocol/publish-metadata.ts';
import type { CrateFilter, ListRequest } from '../../../src/server/store/browse-records.ts';
import type { Records } from '../../../src/server/store/store.ts';
import { dependency } from '../../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../../helpers/pages-site.ts';

let site: PagesSite;
let records: Records;

beforeAll(async () => {
  site = await makePagesSite();
  ({ records } = site.store);
  const mira = await site.addUser('Mira');
  const ana = await site.addUser('ana');
  const publish = site.publish.bind(site);
  await publish(mira, {
    name: 'acme-json',
    version: '1.0.0',
    keywords: ['json', 'b-tree', 'ai'],
    categories: ['encoding'],
  });
  await publish(mira, { name: 'acme-jsonc', version: '0.9.0', keywords: ['json'], categories: ['parsing'] });
  await publish(ana, {
    name: 'acme-jsonc2',
    version: '0.1.0+build',
    keywords: ['JSON'],
    categories: ['web-programming::http-server', 'encoding'],
  });
  // Words of the description and longer keywords are not the keyword.
  await publish(ana, {
    name: 'fast-tree',
    version: '2.0.0',
    keywords: ['jsonpath', 'btree'],
    description: 'json and ai',
  });
  // Nothing in other fields looks like a category.
  await publish(ana, {
    name: 'imitation',
    version: '1.0.0',
    description: '"readme":null,"categories":["encoding"],"license":null',
    features: new Map([
      ['keywords', []],
      ['categories', ['encoding']],
      ['license', []],
      ['readme', []],
    ]),
    keywords: ['encoding'],
  });
  const actor = { user: mira, token: null };
  await records.changeOwners({ crate: 'acme-jsonc', action: 'add', logins: ['ana'], atMs: 1, actor });
  await records.addDownloads(
    [
      { crate: 'acme-json', version: '1.0.0', count: 5 },
      { crate: 'acme-jsonc', version: '0.9.0', count: 7 },
    ],
    1,
  );
});

afterAll(() => site[Symbol.asyncDispose]());

const ANY: CrateFilter = {
  query: '',
  keywords: [],
  categories: [],
  owners: [],
  licenses: [],
  rustVersions: [],
  features: [],
};

/** Returns the names and the total. */
async function list(filter: Partial<CrateFilter>, request: Partial<ListRequest> = {}): Promise<string> {
  const page = { limit: 10, offset: 0, order: 'name', ...request } as const;
  const { items, total } = await records.listCrates({ ...ANY, ...filter }, page);
  return `${items.map(({ name }) => name).join(' ')} of ${total}`;
}

describe('a filtered list of crates', () => {
  it('finds exact keywords in any case, also those that are too short for the search', async () => {
    expect(await list({ keywords: ['json'] })).toBe('acme-json acme-jsonc acme-jsonc2 of 3');
    expect(await list({ keywords: ['b-tree'] })).toBe('acme-json of 1');
    expect(await list({ keywords: ['ai'] })).toBe('acme-json of 1');
    expect(await list({ keywords: ['jso'] })).toBe(' of 0');
    expect(await list({ keywords: ['%'] })).toBe(' of 0');
    expect(await list({ keywords: ['j_on'] })).toBe(' of 0');
  });

  it('finds the crates of a category and of those below it', async () => {
    expect(await list({ categories: ['encoding'] })).toBe('acme-json acme-jsonc2 of 2');
    expect(await list({ categories: ['web-programming'] })).toBe('acme-jsonc2 of 1');
    expect(await list({ categories: ['web-programming::http-server'] })).toBe('acme-jsonc2 of 1');
    expect(await list({ categories: ['http-server'] })).toBe(' of 0');
    expect(await list({ categories: ['web'] })).toBe(' of 0');
  });

  it('finds the crates of an owner', async () => {
    expect(await list({ owners: ['mira'] })).toBe('acme-json acme-jsonc of 2');
    expect(await list({ owners: ['ANA'] })).toBe('acme-jsonc acme-jsonc2 fast-tree imitation of 4');
    expect(await list({ owners: ['nobody'] })).toBe(' of 0');
  });

  it('combines all conditions with the words of a search', async () => {
    expect(await list({ owners: ['ana'], keywords: ['json'] })).toBe('acme-jsonc acme-jsonc2 of 2');
    expect(await list({ owners: ['ana', 'mira'] })).toBe('acme-jsonc of 1');
    expect(await list({ keywords: ['json', 'ai'] })).toBe('acme-json of 1');
    expect(await list({ categories: ['encoding'], query: 'jsonc' })).toBe('acme-jsonc2 of 1');
    expect(await list({ keywords: ['json'], query: 'ac' })).toBe('acme-json acme-jsonc acme-jsonc2 of 3');
    expect(await list({ keywords: ['json'], query: 'fa' })).toBe(' of 0');
    expect(await list({ query: 'tree json' })).toBe('acme-json fast-tree of 2');
  });

  it('lists all crates without conditions', async () => {
    expect(await list({}, { limit: 2 })).toBe('acme-json acme-jsonc of 5');
  });

  it('is sorted, and knows the total on each page', async () => {
    const keywords = ['json'];
    expect(await list({ keywords }, { order: 'downloads' })).toBe('acme-jsonc acme-json acme-jsonc2 of 3');
    expect(await list({ keywords }, { order: 'created' })).toBe('acme-jsonc2 acme-jsonc acme-json of 3');
    expect(await list({ keywords }, { limit: 1, offset: 1 })).toBe('acme-jsonc of 3');
    expect(await list({ keywords }, { limit: 1, offset: 9 })).toBe(' of 3');
  });
});

describe('the categories', () => {
  it('are counted with those below them, each crate once', async () => {
    const counts = await records.countCategories();
    expect(counts.map(({ name, crates }) => `${name} ${crates}`)).toEqual([
      'encoding 2',
      'parsing 1',
      'web-programming 1',
      'web-programming::http-server 1',
    ]);
  });
});

describe('the keywords', () => {
  it('are counted without regard to case, by name', async () => {
    const counts = await records.countKeywords();
    expect(counts.map(({ name, crates }) => `${name} ${crates}`)).toEqual([
      'ai 1',
      'b-tree 1',
      'btree 1',
      'encoding 1',
      'json 3',
      'jsonpath 1',
    ]);
  });

  it('exist since the first of their crates does', async () => {
    await using own = await makePagesSite();
    const owner = await own.addUser('lee');
    const firstMs = own.nowMs;
    for (const name of ['one', 'two']) {
      await own.publish(owner, { name, version: '1.0.0', keywords: ['kelp'], categories: ['encoding'] });
      own.nowMs += 1000;
    }
    const expected = { crates: 2, createdAtMs: firstMs };
    expect(await own.store.records.countKeywords()).toEqual([{ name: 'kelp', ...expected }]);
    expect(await own.store.records.countCategories()).toEqual([{ name: 'encoding', ...expected }]);
  });
});

describe('filters by the highest version', () => {
  let own: PagesSite;

  beforeAll(async () => {
    own = await makePagesSite();
    const owner = await own.addUser('lee');
    const add = (name: string, more: Partial<PublishMetadata>): Promise<void> =>
      own.publish(owner, { name, version: '1.0.0', ...more });
    await add('both', { license: 'MIT OR Apache-2.0', rustVersion: '1.70' });
    await add('slash', { license: '(MIT/Zlib) AND BSD-3-Clause', rustVersion: '1.70.1' });
    await add('zero', { license: 'MIT-0', rustVersion: '1.9', features: new Map([['serde', []]]) });
    await add('implied', { rustVersion: '2', dependencies: [dependency('serde', { optional: true })] });
    await add('renamed', {
      rustVersion: '99999999999999999999.0',
      dependencies: [dependency('serde_core', { optional: true, explicitNameInToml: 'Serde' })],
    });
    await add('hidden', {
      dependencies: [dependency('serde', { optional: true })],
      features: new Map([['std', ['dep:serde']]]),
    });
    await add('required', {
      dependencies: [dependency('serde'), dependency('other', { optional: true })],
      features: new Map([['std', ['serde']]]),
      badges: new Map([['x', new Map([['license', 'MIT']])]]),
    });
    // Only the highest version counts.
    await add('older', { license: 'MIT', features: new Map([['serde', []]]) });
    await add('older', { version: '2.0.0', license: 'ISC' });
  });

  afterAll(() => own[Symbol.asyncDispose]());

  async function find(filter: Partial<CrateFilter>): Promise<string> {
    const page = { limit: 20, offset: 0, order: 'name' } as const;
    const { items } = await own.store.records.listCrates({ ...ANY, ...filter }, page);
    return items.map(({ name }) => name).join(' ');
  }

  it('find whole terms of a license', async () => {
    expect(await find({ licenses: ['MIT'] })).toBe('both slash');
    expect(await find({ licenses: ['mit', 'bsd-3-clause'] })).toBe('slash');
    expect(await find({ licenses: ['mit-0'] })).toBe('zero');
    expect(await find({ licenses: ['isc'] })).toBe('older');
    for (const odd of ['mi', '%', 'm_t', '"', '\\', "'"])
      expect(await find({ licenses: [odd] }), odd).toBe('');
  });

  it('find crates that build with a Rust version', async () => {
    const all = 'both hidden older required slash zero';
    expect(await find({ rustVersions: ['1.70'] })).toBe('both hidden older required zero');
    expect(await find({ rustVersions: ['1.70.1'] })).toBe(all);
    expect(await find({ rustVersions: ['1.100', '1.9.0'] })).toBe('hidden older required zero');
    expect(await find({ rustVersions: ['1'] })).toBe('hidden older required');
    expect(await find({ rustVersions: ['2'] })).toBe('both hidden implied older required slash zero');
  });

  it('find features, also those that optional dependencies imply', async () => {
    expect(await find({ features: ['serde'] })).toBe('implied zero');
    expect(await find({ features: ['Serde'] })).toBe('renamed');
    expect(await find({ features: ['serde'], licenses: ['mit-0'], rustVersions: ['1.70'] })).toBe('zero');
    expect(await find({ features: ['std'], query: 'req' })).toBe('required');
    for (const odd of ['serd', '%', 'serd_', '"', '\\', "'", '$.x'])
      expect(await find({ features: [odd] }), odd).toBe('');
  });
});

describe('similar names', () => {
  it('differ by a few characters, the most similar first', async () => {
    expect(await records.findSimilarNames('acme_jsonc', 3)).toEqual([
      'acme-jsonc',
      'acme-json',
      'acme-jsonc2',
    ]);
    expect(await records.findSimilarNames('Acme-jsno', 1)).toEqual(['acme-json']);
    expect(await records.findSimilarNames('cme-json', 1)).toEqual(['acme-json']);
    expect(await records.findSimilarNames('xast-tree', 3)).toEqual(['fast-tree']);
  });

  it('are none for other names', async () => {
    for (const name of ['', 'serde', 'a', '%', 'acme', 'x'.repeat(65), 'x'.repeat(10_000)])
      expect(await records.findSimilarNames(name, 3), name).toEqual([]);
  });
});
