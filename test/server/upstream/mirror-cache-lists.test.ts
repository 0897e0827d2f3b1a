import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UpstreamProblem } from '../../../src/server/shared/upstream-problem.ts';
import { makeMirrorSite, type MirrorSite } from '../../helpers/mirror-site.ts';

const PAGE = { limit: 100, offset: 0 };
const CRATES = 20;

let site: MirrorSite;

beforeEach(async () => {
  site = await makeMirrorSite();
  for (let at = 0; at < CRATES; at += 1) await site.cacheCrate([{ name: `json-${at}`, version: '1.0.0' }]);
});
afterEach(() => site[Symbol.asyncDispose]());

it('lets other work of the server continue while it reads a list', async () => {
  let turns = 0;
  let isListed = false;
  const list = site.upstream.cache.search('json', PAGE).finally(() => {
    isListed = true;
  });
  while (!isListed) {
    await nextTurn();
    turns += 1;
  }
  expect((await list).items).toHaveLength(CRATES);
  expect(turns).toBeGreaterThanOrEqual(CRATES);
});

it('reads one list at a time, and refuses lists when too many wait', async () => {
  const request = { prefix: '', part: 'json', after: '', limit: 100 };
  const lists = Array.from({ length: 100 }, async (_, at) => {
    const { cache } = site.upstream;
    return at % 2 === 0 ? await cache.search('json', PAGE) : await cache.list(request);
  });
  const results = await Promise.allSettled(lists);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(100 - 33);
  expect(refused.every(({ reason }) => reason instanceof UpstreamProblem)).toBe(true);
  expect((await site.upstream.cache.list(request)).items).toHaveLength(CRATES);
});
