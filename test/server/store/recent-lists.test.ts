import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { parseSearch } from '../../../src/server/pages/browse/search-text.ts';
import type { ServedRecords } from '../../../src/server/store/store.ts';
import { withRecentLists } from '../../../src/server/store/recent-lists.ts';
import { makePagesSite, SITE_URL, type PagesSite } from '../../helpers/pages-site.ts';

const MINUTE_MS = 60_000;
const SLOW = ['countKeywords', 'countCategories', 'listCrates', 'listDailyDownloads'] as const;

let site: PagesSite;
/** The names of the slow methods that were called. */
let calls: string[];

beforeEach(async () => {
  site = await makePagesSite();
  calls = [];
  const mira = await site.addUser('mira');
  await site.publish(mira, {
    ...{ name: 'mug', version: '1.0.0', license: 'MIT', rustVersion: '1.70' },
    ...{ keywords: ['tea'], categories: ['encoding'], features: new Map([['hot', []]]) },
  });
});
afterEach(() => site[Symbol.asyncDispose]());

/** Returns the records of the site, which note calls of slow methods. */
function observed(): ServedRecords {
  const { records } = site.store;
  const noting = SLOW.map((name) => [
    name,
    (...given: readonly unknown[]) => {
      calls.push(name);
      return Reflect.apply(records[name], records, given);
    },
  ]);
  return { ...records, ...Object.fromEntries(noting) };
}

/** Requests the paths twice at once and then again, in the same minute. */
async function ask(paths: readonly string[]): Promise<readonly number[]> {
  const { fetch } = createApp({ ...site.context, records: observed() });
  const one = async (path: string): Promise<number> =>
    (await fetch(new Request(SITE_URL + path, { headers: { host: new URL(SITE_URL).host } }), {})).status;
  const first = await Promise.all([...paths, ...paths].map(one));
  site.nowMs += MINUTE_MS - 1;
  return [...first, ...(await Promise.all(paths.map(one)))];
}

describe('lists that take long', () => {
  it.each<readonly [string, readonly string[]]>([
    ['countKeywords', ['/keywords', '/keywords?sort=name', '/api/v1/keywords', '/api/v1/keywords/tea']],
    ['countCategories', ['/categories', '/api/v1/categories', '/api/v1/categories/encoding']],
    ['listCrates', ['/categories/encoding']],
    ['listCrates', ['/?q=rust%3A1.70', '/?q=rust%3A1.70&part=results']],
    ['listCrates', ['/?q=feature%3Ahot']],
    ['listCrates', ['/?q=license%3AMIT%2FApache-2.0', '/?q=license%3Amit+license%3Aapache-2.0']],
    ['listDailyDownloads', ['/crates/mug', '/crates/mug/1.0.0', '/api/v1/crates/mug/downloads']],
  ])('%s is called once a minute for %j', async (name, paths) => {
    expect(new Set(await ask(paths))).toEqual(new Set([200]));
    expect(calls).toEqual([name]);
  });

  it('are computed again after a minute', async () => {
    const records = withRecentLists(observed(), site.context.clock);
    await records.countKeywords();
    await site.publish(await site.addUser('otto'), {
      name: 'jug',
      version: '1.0.0',
      keywords: ['tea', 'new'],
    });
    expect((await records.countKeywords()).map(({ name }) => name)).toEqual(['tea']);
    site.nowMs += MINUTE_MS;
    expect((await records.countKeywords()).map(({ name, crates }) => [name, crates])).toEqual([
      ['new', 1],
      ['tea', 2],
    ]);
  });

  it('by different conditions are computed with pauses, so that readers cannot keep the server busy', async () => {
    const spans: { beganAtMs: number; endedAtMs: number }[] = [];
    const listCrates: ServedRecords['listCrates'] = async () => {
      const beganAtMs = performance.now();
      await sleep(40);
      spans.push({ beganAtMs, endedAtMs: performance.now() });
      return { items: [], total: 0 };
    };
    const records = withRecentLists({ ...site.store.records, listCrates }, site.context.clock);
    const list = (query: string): Promise<unknown> =>
      records.listCrates(parseSearch(query), { limit: 1, offset: 0, order: 'name' });
    await Promise.all([list('rust:1.70'), list('feature:a'), list('license:mit')]);
    expect(spans).toHaveLength(3);
    for (const [index, { beganAtMs }] of spans.entries()) {
      const before = spans[index - 1];
      if (before !== undefined) expect(beganAtMs - before.endedAtMs).toBeGreaterThanOrEqual(75);
    }
  });

  it('are computed for clients in turn, so that one cannot keep the others waiting', async () => {
    const computed: (string | undefined)[] = [];
    const listCrates: ServedRecords['listCrates'] = async ({ features, categories }) => {
      await sleep(20);
      computed.push(features[0] ?? categories[0]);
      return { items: [], total: 0 };
    };
    const { fetch } = createApp({ ...site.context, records: { ...site.store.records, listCrates } });
    const search = async (path: string, remoteAddress: string): Promise<number> => {
      const request = new Request(SITE_URL + path, { headers: { host: new URL(SITE_URL).host } });
      return (await fetch(request, { incoming: { socket: { remoteAddress }, rawHeaders: [] } })).status;
    };
    const many = Array.from({ length: 40 }, (_, index) => search(`/?q=feature%3Amany${index}`, '192.0.2.1'));
    await Promise.race(many);
    const others = ['/?q=feature%3Aone', '/categories/encoding', '/api/v1/crates?category=science'];
    const statuses = await Promise.all(others.map((path) => search(path, '192.0.2.2')));
    expect(statuses).toEqual([200, 200, 200]);
    for (const other of ['one', 'encoding', 'science']) {
      expect(computed.indexOf(other)).toBeGreaterThanOrEqual(0);
      expect(computed.indexOf(other)).toBeLessThan(20);
    }
    await Promise.all(many);
  });

  it('take little memory, however many of them are empty', async () => {
    const asked: string[] = [];
    const listDailyDownloads: ServedRecords['listDailyDownloads'] = async (crate) => {
      asked.push(crate);
      return { sinceDay: 0, counts: [] };
    };
    const records = withRecentLists({ ...site.store.records, listDailyDownloads }, site.context.clock);
    const list = (crate: string): Promise<unknown> =>
      records.listDailyDownloads(crate, { versionIds: [], fromDay: 0 });
    await list('first');
    for (let index = 0; index < 10_000; index += 1) await list(`${'x'.repeat(500)}${index}`);
    await list('first');
    expect(asked.filter((crate) => crate === 'first')).toHaveLength(2);
  });

  it('do not include those of owners and keywords, which show changes at once', async () => {
    await ask(['/users/mira', '/keywords/tea']);
    expect(calls).toEqual(Array.from({ length: 6 }, () => 'listCrates'));
  });
});
