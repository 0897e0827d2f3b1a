import { describe, expect, it } from 'vitest';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';

/** Publishes crates with these names, one per minute, and adds the given downloads. */
async function publishAll(
  site: PagesSite,
  crates: readonly (readonly [name: string, downloads: number])[],
): Promise<void> {
  const owner = await site.addUser('mira');
  for (const [name] of crates) {
    await site.publish(owner, { name, version: '1.0.0' });
    site.nowMs += 60_000;
  }
  await site.store.records.addDownloads(
    crates.map(([crate, count]) => ({ crate, version: '1.0.0', count })),
    site.nowMs,
  );
}

/** Returns the names of the crates in a section of the start page. */
function namesIn(text: string, order: string): readonly (string | undefined)[] {
  const [, section = ''] = new RegExp(`<h2 id="top-${order}">([^]*?)</section>`).exec(text) ?? [];
  return [...section.matchAll(/<a href="\/crates\/([^"?]+)">/g)].map(([, name]) => name);
}

describe('the start page', () => {
  it('lists new, updated and popular crates, ten each, with links to all', async () => {
    await using site = await makePagesSite();
    await publishAll(
      site,
      Array.from({ length: 12 }, (_, i) => [`part-${i}`, i === 5 ? 500 : i]),
    );
    const owner = await site.store.records.findUser('mira');
    if (owner === null) throw new Error('no user');
    await site.publish(owner, { name: 'part-3', version: '1.0.1' });
    const { text } = await site.browser().get('/');
    expect(namesIn(text, 'created').slice(0, 3)).toEqual(['part-11', 'part-10', 'part-9']);
    expect(namesIn(text, 'updated').slice(0, 3)).toEqual(['part-3', 'part-11', 'part-10']);
    expect(namesIn(text, 'downloads').slice(0, 3)).toEqual(['part-5', 'part-11', 'part-10']);
    expect(text).toContain('<span class="quiet">500 downloads</span>');
    for (const order of ['created', 'updated', 'downloads']) {
      expect(namesIn(text, order)).toHaveLength(10);
      expect(text).toContain(`href="/crates?sort=${order}"`);
    }
  });

  it('shows a small registry as one list', async () => {
    await using site = await makePagesSite();
    await publishAll(site, [
      ['acme-core', 0],
      ['acme-http', 1],
    ]);
    const { text } = await site.browser().get('/');
    expect(text).not.toContain('Most downloaded');
    expect(text).toMatch(/<h3><a href="\/crates\/acme-http">[^]*<h3><a href="\/crates\/acme-core">/);
    expect(text).toContain('updated <time');
  });

  it('shows how to publish before there are crates', async () => {
    await using site = await makePagesSite();
    const { text } = await site.browser().get('/');
    expect(text).toContain('<a href="#use">See how to publish the first one</a>');
    expect(text).toContain('<h2 id="use">Use this registry</h2>');
  });

  it('shows configuration, token and first crate as commands to copy', async () => {
    await using site = await makePagesSite();
    const { text } = await site.browser().get('/');
    const boxes = [...text.matchAll(/<code id="[^"]+" tabindex="0" aria-label="[^"]+">([^<]+)<\/code>/g)];
    expect(boxes.map(([, box]) => box)).toEqual([
      '[registries.mine]\nindex = &quot;sparse+http://127.0.0.1:7878/index/&quot;',
      'cargo login --registry mine',
      'cargo add NAME --registry mine',
      'cargo publish --registry mine',
    ]);
    expect(text).toContain('Publishing needs a token.');
  });

  it('says that a private registry needs a token for reading too', async () => {
    await using site = await makePagesSite({ authRequired: true });
    await site.addUser('mira');
    const browser = site.browser();
    await browser.signIn('mira');
    expect((await browser.get('/')).text).toContain('Reading and publishing need a token.');
  });
});
