import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../../src/server/app.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';

let site: PagesSite;
let firstAt: string;

beforeAll(async () => {
  site = await makePagesSite();
  firstAt = new Date(site.nowMs).toISOString();
  const owner = await site.addUser('mira');
  const categories = ['development-tools::ffi', 'encoding'];
  await site.publish(owner, { name: 'one', version: '1.0.0', keywords: ['Tea', 'cup'], categories });
  site.nowMs += 1000;
  await site.publish(owner, { name: 'two', version: '1.0.0', keywords: ['tea'], categories: ['encoding'] });
  await site.publish(owner, { name: 'three', version: '1.0.0', categories: ['development-tools'] });
});

afterAll(() => site[Symbol.asyncDispose]());

async function ask(path: string, settings = {}): Promise<readonly [number, unknown]> {
  const app = createApp({ ...site.context, settings: { ...site.context.settings, ...settings } });
  const response = await app.fetch(new Request(`http://127.0.0.1:7878/api/v1/${path}`), {});
  return [response.status, await response.json()];
}

const keyword = (id: string, count: number): object => ({
  ...{ id, keyword: id, created_at: firstAt, crates_cnt: count },
});

it('lists keywords by name or by the number of their crates', async () => {
  const meta = { total: 2 };
  const [cup, tea] = [keyword('cup', 1), keyword('tea', 2)];
  expect(await ask('keywords')).toEqual([200, { keywords: [cup, tea], meta }]);
  expect(await ask('keywords?sort=crates')).toEqual([200, { keywords: [tea, cup], meta }]);
  expect(await ask('keywords?per_page=1&page=2')).toEqual([200, { keywords: [tea], meta }]);
  expect(await ask('keywords?page=3')).toEqual([200, { keywords: [], meta }]);
});

it('finds a keyword in any case', async () => {
  expect(await ask('keywords/TEA')).toEqual([200, { keyword: keyword('tea', 2) }]);
  for (const odd of ['te', 'encoding', '%25', '__proto__'])
    expect((await ask(`keywords/${odd}`))[0], odd).toBe(404);
});

const category = (slug: string, name: string, count: number): object => ({
  ...{ id: slug, slug, category: name, description: '', created_at: firstAt, crates_cnt: count },
});

it('lists the categories of the first level, with the crates below them', async () => {
  const [tools, encoding] = [
    category('development-tools', 'Development tools', 2),
    category('encoding', 'Encoding', 2),
  ];
  expect(await ask('categories')).toEqual([200, { categories: [tools, encoding], meta: { total: 2 } }]);
  expect(await ask('categories?sort=crates&per_page=1')).toEqual([
    200,
    { categories: [tools], meta: { total: 2 } },
  ]);
});

it('finds a category with those above and below it', async () => {
  const tools = category('development-tools', 'Development tools', 2);
  const ffi = category('development-tools::ffi', 'Ffi', 1);
  expect(await ask('categories/development-tools')).toEqual([
    200,
    { category: { ...tools, subcategories: [ffi], parent_categories: [] } },
  ]);
  expect(await ask('categories/Development-Tools::FFI')).toEqual([
    200,
    { category: { ...ffi, subcategories: [], parent_categories: [tools] } },
  ]);
  expect((await ask('categories/parsing'))[0]).toBe(404);
});

it('refuses invalid parameters', async () => {
  for (const query of ['sort=odd', 'page=0', 'per_page=x'])
    for (const list of ['keywords', 'categories'])
      expect((await ask(`${list}?${query}`))[0], query).toBe(400);
});

it('needs a token in a private registry', async () => {
  for (const path of ['keywords', 'keywords/tea', 'categories', 'categories/encoding'])
    expect((await ask(path, { authRequired: true }))[0], path).toBe(401);
});
