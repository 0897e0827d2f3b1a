import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';

let site: PagesSite;

beforeAll(async () => {
  site = await makePagesSite();
  const mira = await site.addUser('mira');
  for (const [name, license] of [
    ['both-old', 'MIT/Apache-2.0'],
    ['both-new', 'Apache-2.0 OR MIT'],
    ['one', 'MIT'],
  ] as const) {
    await site.publish(mira, { name, version: '1.0.0', license, keywords: ['json'] });
  }
});
afterAll(() => site[Symbol.asyncDispose]());

async function find(query: string): Promise<string> {
  return (await site.browser().get(`/?q=${encodeURIComponent(query)}`)).text;
}

it.each(['license:MIT/Apache-2.0', 'license:apache-2.0/mit'])(
  'finds crates by `%s`, however they write the license',
  async (query) => {
    const names = [...(await find(query)).matchAll(/<h3><a href="\/crates\/([\w-]+)"/g)].map(
      ([, name]) => name,
    );
    expect(new Set(names)).toEqual(new Set(['both-new', 'both-old']));
    expect(names).toHaveLength(2);
  },
);

it('says which filters of a search have no effect', async () => {
  const five = 'keyword:json owner:mira license:mit rust:1.70 keyword:json category:a';
  expect(await find(`one ${five}`)).not.toContain('Without effect');
  const note =
    'A search uses at most 5 filters. Without effect: <code>feature:&lt;b&gt;</code>, <code>owner:otto</code>.';
  expect(await find(`one ${five} feature:<b> owner:otto`)).toContain(note);
});

it.each([
  ['/keywords/JSON', '/keywords/json'],
  ['/users/MIRA', '/users/mira'],
])('keeps the query when it redirects `%s`', async (other, path) => {
  for (const query of ['', '?sort=name&page=2&x=%20a']) {
    const { status, headers } = await site.browser().get(other + query);
    expect([status, headers.get('location')]).toEqual([303, path + query]);
  }
});

it('has a form above the results that adds filters to the search, and keeps its order', async () => {
  const { text } = await site.browser().get('/?q=%22one%22&sort=name');
  const [, form = ''] = /<details class="filters">([^]*?)<\/details>/.exec(text) ?? [];
  expect(form).toContain('<input type="hidden" name="q" value="&quot;one&quot;">');
  expect(form).toContain('<input type="hidden" name="sort" value="name">');
  const names = [...form.matchAll(/<input id="filter-\w+" type="text" name="(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(['license', 'rust', 'owner', 'feature', 'keyword', 'category']);
  const sent = await site.browser().get('/?q=one&sort=name&license=MIT+OR+ISC&rust=&owner=mira');
  expect([sent.status, sent.headers.get('location')]).toEqual([
    303,
    '/?q=one+license%3AMIT+license%3AISC+owner%3Amira&sort=name',
  ]);
  expect((await site.browser().get('/?q=one&license=&rust=')).status).toBe(200);
  expect((await site.browser().get('/')).text).not.toContain('class="filters"');
});

it('does not redirect if filters make a search too long', async () => {
  for (const query of [`q=a&keyword=${'x'.repeat(5000)}`, `q=${'y'.repeat(500)}&keyword=x`]) {
    expect((await site.browser().get(`/?${query}`)).status).toBe(200);
  }
});

it('says that a filter has no Rust version', async () => {
  expect(await find('one rust:<b>')).toContain(
    'Not a Rust version: <code>rust:&lt;b&gt;</code>. Write a version such as <code>rust:1.70</code>.',
  );
  expect(await find('one rust:1.')).not.toContain('Not a Rust version');
});
