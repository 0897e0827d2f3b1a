import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrateFilter, ListRequest } from '../../../src/server/store/browse-records.ts';
import type { Records } from '../../../src/server/store/store.ts';
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
  await records.addDownloads([
    { crate: 'acme-json', version: '1.0.0', count: 5 },
    { crate: 'acme-jsonc', version: '0.9.0', count: 7 },
  ]);
});

afterAll(() => site[Symbol.asyncDispose]());

const ANY: CrateFilter = { query: '', keywords: [], categories: [], owners: [] };

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
    expect(Object.fromEntries(counts)).toEqual({
      encoding: 2,
      parsing: 1,
      'web-programming': 1,
      'web-programming::http-server': 1,
    });
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
