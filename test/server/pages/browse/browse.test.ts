import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDemoCrates } from '../../../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';

let site: PagesSite;

beforeAll(async () => {
  site = await makePagesSite();
  const mira = await addDemoCrates(site);
  const lee = await site.addUser('Lee');
  const categories = ['encoding', 'web-programming::http-client'];
  const about = { keywords: ['parallel', 'Parsing'], categories };
  await site.publish(lee, { ...about, name: 'kelp', version: '1.0.0', description: 'reads shells' });
  const actor = { user: mira, token: null };
  await site.store.records.changeOwners({
    crate: 'tidepool',
    action: 'add',
    logins: ['lee'],
    atMs: 1,
    actor,
  });
});

afterAll(() => site[Symbol.asyncDispose]());

async function page(address: string): Promise<string> {
  const { status, text } = await site.browser().get(address);
  expect(status, address).toBe(200);
  return text;
}

/** Returns the names of the listed crates. */
function namesIn(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/<h3><a href="\/crates\/[^"]*">([^<]+)</g)].map(([, name]) => name);
}

/** Returns the texts of links that are marked as the current one. */
function currentIn(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/ aria-current="true">([^<]+)</g)].map(([, name]) => name);
}

async function notFound(address: string): Promise<string> {
  const { status, text } = await site.browser().get(address);
  expect(status, address).toBe(404);
  return text;
}

describe('the list of all crates', () => {
  it('has pages of 50 crates by name', async () => {
    const first = await page('/crates');
    expect(first).toContain('49 crates');
    expect(namesIn(first)).toHaveLength(49);
    expect(namesIn(first).slice(0, 2)).toEqual(['kelp', 'shell-part-1']);
    for (let i = 1; i <= 3; i += 1)
      await site.publish(await site.addUser(`u${i}`), { name: `a-${i}`, version: '1.0.0' });
    const second = await page('/crates?page=2');
    expect(namesIn(second)).toHaveLength(2);
    expect(second).toContain('href="/crates"');
  });

  it('has links to its orders', async () => {
    for (const [sort, name, first] of [
      ['name', 'A to Z', 'a-1'],
      ['downloads', 'Most downloaded', 'tidepool'],
      ['updated', 'Recently updated', 'a-3'],
      ['created', 'New', 'a-3'],
    ] as const) {
      const text = await page(`/crates?sort=${sort}`);
      expect(currentIn(text), sort).toEqual([name]);
      expect(namesIn(text)[0], sort).toBe(first);
    }
    expect(currentIn(await page('/crates?sort=odd'))).toEqual(['A to Z']);
    expect(await page('/crates?sort=created')).toContain('href="/crates?sort=created&amp;page=2"');
  });

  it('works before anything is published', async () => {
    await using empty = await makePagesSite();
    for (const address of ['/crates', '/keywords', '/categories'])
      expect((await empty.browser().get(address)).text, address).toMatch(
        /No (crates|keywords|categories) yet/,
      );
  });
});

describe('search results', () => {
  it('can be sorted, on every page', async () => {
    const best = await page('/?q=shell');
    expect(currentIn(best)).toEqual(['Best match']);
    expect(best).toContain('href="/?q=shell&amp;sort=updated"');
    const newest = await page('/?q=shell&sort=created');
    expect(namesIn(newest).slice(0, 2)).toEqual(['kelp', 'shell-part-45']);
    expect(newest).toContain('href="/?q=shell&amp;sort=created&amp;page=2"');
    expect(newest).toContain('<input type="hidden" name="sort" value="created">');
    expect(namesIn(await page('/?q=shell&sort=created&page=2'))[0]).toBe('shell-part-26');
  });

  it('can be filtered by keyword, category and owner', async () => {
    expect(namesIn(await page('/?q=keyword:parallel'))).toEqual(['tidepool', 'kelp']);
    // A filter that is still being typed.
    expect(namesIn(await page('/?q=tidepool+keyword:'))).toContain('tidepool');
    expect(namesIn(await page('/?q=keyword%3Aparallel+reads'))).toEqual(['kelp']);
    expect(namesIn(await page('/?q=owner:lee+category:concurrency'))).toEqual(['tidepool']);
    expect(namesIn(await page('/?q=owner:LEE&sort=name'))).toEqual(['kelp', 'tidepool']);
    expect(currentIn(await page('/?q=owner:lee'))).toEqual(['Most downloaded']);
    expect(await page('/?q=owner:nobody')).toContain('No crates found for “owner:nobody”');
    expect(await page('/?q=keyword:%22%25_%5C')).toContain('No crates found');
  });
});

describe('filters by license, Rust version and feature', () => {
  it('narrow a search', async () => {
    expect(namesIn(await page('/?q=license:mit'))).toEqual(['tidepool']);
    expect(namesIn(await page('/?q=tidepool+rust:1.73'))).toEqual(['tidepool-macros']);
    expect(namesIn(await page('/?q=tidepool+rust:1.74'))).toEqual(['tidepool', 'tidepool-macros']);
    expect(namesIn(await page('/?q=feature:metrics'))).toEqual(['tidepool-macros']);
    expect(await page('/?q=feature:nothing')).toContain('<code>license:MIT</code>');
  });
});

describe('the list of keywords', () => {
  it('has the number of crates of each, the most used ones first or by name', async () => {
    const entries = (text: string): readonly string[] =>
      [...text.matchAll(/<a href="\/keywords\/([^"]+)">[^<]+<\/a> <span class="quiet">(\d+)/g)].map(
        ([, word, count]) => `${word} ${count}`,
      );
    const byUse = entries(await page('/keywords'));
    expect(byUse[0]).toBe('parallel 2');
    const long = `${'a'.repeat(60)} 1`;
    expect(byUse.slice(1)).toEqual([long, 'fork-join 1', 'parsing 1', 'scheduler 1']);
    const byName = await page('/keywords?sort=name');
    expect(entries(byName)).toEqual([long, 'fork-join 1', 'parallel 2', 'parsing 1', 'scheduler 1']);
    expect(currentIn(byName)).toEqual(['A to Z']);
    expect(await page('/crates')).toContain('<a href="/keywords">by keyword</a>');
  });
});

describe('a keyword', () => {
  it('has a page with its crates', async () => {
    const text = await page('/keywords/parallel');
    expect(namesIn(text)).toEqual(['tidepool', 'kelp']);
    expect(namesIn(await page('/keywords/parallel?sort=name'))).toEqual(['kelp', 'tidepool']);
    expect(text).toContain('value="keyword:parallel "');
    expect(await page('/crates/kelp')).toContain('<a href="/keywords/parsing">#Parsing</a>');
  });

  it('is found in any case', async () => {
    const { status, headers } = await site.browser().get('/keywords/PARALLEL');
    expect([status, headers.get('location')]).toEqual([303, '/keywords/parallel']);
    expect(namesIn(await page('/keywords/parsing'))).toEqual(['kelp']);
  });

  it('must be possible', async () => {
    for (const word of ['%3Cb%3E', 'a%20b', '-a', 'a'.repeat(101)]) await notFound(`/keywords/${word}`);
  });
});

describe('categories', () => {
  it('are listed with the number of their crates', async () => {
    const text = await page('/categories');
    const counts = [
      ...text.matchAll(/<a href="\/categories\/([^"]+)">[^<]+<\/a> <span class="quiet">(\d+)/g),
    ];
    expect(counts.map(([, slug, count]) => `${slug} ${count}`)).toEqual([
      'concurrency 1',
      'encoding 1',
      'web-programming 1',
      'web-programming::http-client 1',
    ]);
  });

  it('have a page with their crates and those of the categories below', async () => {
    expect(namesIn(await page('/categories/concurrency'))).toEqual(['tidepool']);
    expect(namesIn(await page('/categories/web-programming'))).toEqual(['kelp']);
    expect(namesIn(await page('/categories/web-programming::http-client'))).toEqual(['kelp']);
    expect(await page('/categories/cryptography')).toContain('No crates yet');
    expect(await page('/crates/kelp')).toContain(
      '<a href="/categories/web-programming::http-client">web-programming::http-client</a>',
    );
    for (const slug of ['nothing', '%3Cb%3E', 'Concurrency']) await notFound(`/categories/${slug}`);
  });
});

describe('a user', () => {
  it('has a page with the crates of the user', async () => {
    const text = await page('/users/Lee');
    expect(namesIn(text)).toEqual(['tidepool', 'kelp']);
    expect(text).toContain('value="owner:Lee "');
    const mira = await page('/users/mira?sort=created&page=2');
    expect(mira).toContain('Mira Okafor');
    expect(mira).toContain('48 crates of <code>mira</code>');
    expect((await site.browser().get('/users/lee')).headers.get('location')).toBe('/users/Lee');
  });

  it('is linked from crates and versions', async () => {
    for (const address of ['/crates/tidepool', '/crates/tidepool/versions'])
      expect((await page(address)).match(/<a href="\/users\/mira">mira</g)?.length, address).toBeGreaterThan(
        1,
      );
  });

  it('is linked from the account page and from the page for admins, if there are crates', async () => {
    await site.addUser('root', { isAdmin: true });
    for (const [login, address, count] of [
      ['mira', '/me', 1],
      ['root', '/me', 0],
      ['root', '/admin/users/mira', 1],
      ['root', '/admin/users/ana', 0],
    ] as const) {
      const browser = site.browser();
      await browser.signIn(login);
      const { text } = await browser.get(address);
      expect(text.match(/<p><a href="\/users\//g)?.length ?? 0, `${login} ${address}`).toBe(count);
    }
  });

  it('has teams, which signed-in readers see, also without crates', async () => {
    const { records } = site.store;
    await records.createTeam({ name: 'Dune', atMs: 1, actor: null });
    await records.changeMembers({ team: 'Dune', action: 'add', logins: ['ana'], atMs: 1, actor: null });
    const reader = site.browser();
    await reader.signIn('mira');
    const { status, text } = await reader.get('/users/ana');
    expect([status, text.includes('href="/teams/Dune"')]).toEqual([200, true]);
    expect((await reader.get('/users/Lee')).text).not.toContain('/teams/');
    await notFound('/users/ana');
    await records.deleteTeam({ name: 'Dune', mayOwnCrates: false, atMs: 1, actor: null });
  });

  it('who owns no crates looks to visitors like one that does not exist', async () => {
    const [ana, nobody] = [await notFound('/users/ana'), await notFound('/users/nobody')];
    expect(ana.replaceAll('ana', 'nobody')).toBe(nobody);
    expect(await notFound('/users/%3Cscript%3E')).toContain('“&lt;script&gt;”');
  });
});

describe('an unknown crate', () => {
  it('is a 404 with similar names', async () => {
    expect(await notFound('/crates/tidepol')).toContain(
      '<p>Did you mean <a href="/crates/tidepool">tidepool</a>?</p>',
    );
    const three = await notFound('/crates/shell-part-46/versions');
    expect(three.match(/<a href="\/crates\/shell-part-\d+">/g)).toHaveLength(3);
    expect(await notFound('/crates/serde')).not.toContain('Did you mean');
  });
});

describe('lists of a private registry', () => {
  it('require a sign-in', async () => {
    await using own = await makePagesSite({ authRequired: true });
    const user = await own.addUser('mira');
    await own.publish(user, {
      name: 'hidden',
      version: '1.0.0',
      keywords: ['secret'],
      categories: ['encoding'],
    });
    for (const address of [
      '/crates',
      '/keywords',
      '/keywords/secret',
      '/categories',
      '/categories/encoding',
      '/users/mira',
      '/crates/hiden',
    ])
      expect((await own.browser().get(address)).headers.get('location'), address).toMatch(/^\/sign-in/);
  });
});
