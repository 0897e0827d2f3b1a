import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { UpstreamProblem } from '../../../src/server/shared/upstream-problem.ts';
import { NO_GATES } from '../../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../../helpers/mirror-site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A crate in a response, as far as tests look at it. */
interface FoundCrate {
  readonly name: string;
  readonly description: string | null;
  readonly exact_match: boolean;
}

interface Found {
  readonly crates: readonly FoundCrate[];
  readonly meta: { readonly total: number };
}

let site: MirrorSite;

beforeEach(async () => {
  site = await makeMirrorSite({ gates: { ...NO_GATES, blocked: ['json-three@2.0.0'] } });
  const owner = await site.addUser('mira');
  for (const name of ['acme-json', 'acme-json-two', 'acme-json-three'])
    await site.publish(owner, { name, version: '1.0.0', keywords: ['json'] });
  for (const name of ['serde_json', 'json', 'JSON-two', 'acme_json', 'simd'])
    await site.cacheCrate([{ name, version: '1.0.5' }]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(site.upstream.status().requests).toBe(0);
  await site[Symbol.asyncDispose]();
});

async function search(query: string): Promise<Found> {
  const url = `http://x/api/v1/crates?${query}`;
  const response = await createApp(site.context).fetch(new Request(url), {});
  expect(response.status).toBe(200);
  const found: Found = JSON.parse(await response.text());
  return found;
}

async function find(query: string): Promise<readonly [string, number]> {
  const { crates, meta } = await search(query);
  return [crates.map(({ name }) => name).join(' '), meta.total];
}

describe('a search', () => {
  const own = 'acme-json acme-json-three acme-json-two';

  it('finds cached crates by a part of the name, after those that are published here', async () => {
    expect(await find('q=json&sort=alpha')).toEqual([`${own} json JSON-two serde_json`, 6]);
    expect(await find('q=JSON-T&sort=alpha')).toEqual(['acme-json-three acme-json-two JSON-two', 3]);
    expect(await find('q=+simd+')).toEqual(['simd', 1]);
  });

  it('has pages without gaps and repetitions, each with the total', async () => {
    const all = `${own} json JSON-two serde_json`.split(' ');
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const names: string[] = [];
      for (let page = 1; page <= Math.ceil(6 / size) + 1; page += 1) {
        const { crates, meta } = await search(`q=json&sort=alpha&per_page=${size}&page=${page}`);
        expect(crates.length).toBe(Math.max(0, Math.min(size, 6 - (page - 1) * size)));
        expect(meta.total).toBe(6);
        names.push(...crates.map(({ name }) => name));
      }
      expect(names).toEqual(all);
    }
  });

  it('describes cached crates as crates.io does', async () => {
    const published = (days: number): { readonly index: Readonly<Record<string, unknown>> } => ({
      index: { pubtime: new Date(site.nowMs - days * DAY_MS).toISOString().replace(/\.\d+/, '') },
    });
    const extra = 'description = "Three of them"';
    const files = { 'src/lib.rs': '' };
    await site.cacheCrate(
      [
        { name: 'json-three', version: '1.0.0', ...published(9), extra, files },
        { name: 'json-three', version: '0.9.1', ...published(3) },
        { name: 'json-three', version: '1.1.0-rc.1', ...published(4) },
        { name: 'json-three', version: '1.2.0', yanked: true, ...published(2) },
        { name: 'json-three', version: '2.0.0', ...published(1) },
      ],
      { archives: ['1.0.0'] },
    );
    const read = async (): Promise<FoundCrate | undefined> =>
      (await search('q=json_three')).crates.find(({ name }) => name === 'json-three');
    // On a busy machine, the first responses can lack descriptions.
    await expect.poll(async () => (await read())?.description, { timeout: 30_000 }).toBe('Three of them');
    const timeOf = (days: number): string =>
      new Date(site.nowMs - days * DAY_MS).toISOString().replace(/\.\d+/, '.000');
    expect(await read()).toMatchObject({
      ...{ id: 'json-three', name: 'json-three', exact_match: true, homepage: null, downloads: 0 },
      ...{ max_version: '1.1.0-rc.1', max_stable_version: '1.0.0', default_version: '1.0.0' },
      ...{ newest_version: '0.9.1', num_versions: 5, yanked: false },
      ...{ created_at: timeOf(9), updated_at: timeOf(1) },
    });
  });

  it('does not find cached crates without a text for names, or with a category or keyword', async () => {
    expect((await find('q=json+two'))[0]).toBe('acme-json-two');
    expect((await find('sort=alpha'))[0]).toBe(own);
    expect((await find('q=json&sort=alpha&keyword=json'))[0]).toBe(own);
    expect((await find('q=json%25&sort=alpha'))[0]).toBe(own);
  });

  it('still finds the crates of this registry if the cache is busy', async () => {
    vi.spyOn(site.upstream.cache, 'search').mockRejectedValue(new UpstreamProblem('busy'));
    expect(await find('q=json&sort=alpha')).toEqual([own, 3]);
  });
});

it('continues after the last crate of this registry even if the total is an estimate', async () => {
  const { records } = site.context;
  const estimating = {
    ...records,
    async searchCrates(...args: Parameters<typeof records.searchCrates>) {
      const { items, total } = await records.searchCrates(...args);
      return { items, total: total + 5 };
    },
  };
  Object.assign(site, { context: { ...site.context, records: estimating } });
  expect((await find('q=json&per_page=3&page=1'))[1]).toBe(11);
  expect(await find('q=json&per_page=3&page=2')).toEqual(['json JSON-two serde_json', 6]);
});
