import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePagesSite, SITE_URL, type PagesSite } from '../../../helpers/pages-site.ts';
import { FEED_ATTACKS } from '../readme-attacks.ts';
import { feedDocument } from '../../../../src/server/pages/browse/feed.ts';
import type { User } from '../../../../src/server/store/values.ts';

let site: PagesSite;
let mira: User;

beforeAll(async () => {
  site = await makePagesSite();
  mira = await site.addUser('mira', { name: 'Mira & Co' });
  await site.publish(mira, { name: 'tidepool', version: '1.0.0', description: 'a < b', keywords: ['x&y'] });
  site.nowMs += 60_000;
  await site.publish(await site.addUser('ana'), { name: 'other', version: '0.1.0-rc.1+b' });
  site.nowMs += 60_000;
  await site.publish(mira, { name: 'tidepool', version: '1.1.0' });
  site.nowMs += 60_000;
  await site.publish(mira, { name: 'tidepool', version: '0.9.1' });
  await yank('1.1.0');
});

afterAll(async () => site[Symbol.asyncDispose]());

async function yank(version: string): Promise<void> {
  const actor = { user: mira, token: null };
  await site.store.records.setYanked({
    ...{ crate: 'tidepool', version, isYanked: true, atMs: site.nowMs, reason: null, actor },
  });
}

async function feed(address: string): Promise<string> {
  const { status, text, headers } = await site.browser().get(address);
  expect(status, address).toBe(200);
  expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  return text;
}

/** Returns the titles of the entries. */
function titlesIn(text: string): readonly (string | undefined)[] {
  return text
    .split('<entry>')
    .slice(1)
    .map((entry) => /<title>([^<]*)<\/title>/.exec(entry)?.[1]);
}

describe('feeds', () => {
  it('have the versions of a crate, last published first, with absolute addresses', async () => {
    expect(await feed('/crates/tidepool/feed.atom')).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${SITE_URL}/crates/tidepool/feed.atom</id>
<title>tidepool · Crate registry</title>
<updated>2026-03-14T09:29:53.000Z</updated>
<author><name>Crate registry</name><uri>${SITE_URL}/</uri></author>
<link rel="self" type="application/atom+xml" href="${SITE_URL}/crates/tidepool/feed.atom"/>
<link rel="alternate" type="text/html" href="${SITE_URL}/crates/tidepool"/>
<entry>
<id>${SITE_URL}/crates/tidepool/0.9.1</id>
<title>tidepool 0.9.1</title>
<published>2026-03-14T09:29:53.000Z</published>
<updated>2026-03-14T09:29:53.000Z</updated>
<author><name>Mira &amp; Co</name><uri>${SITE_URL}/users/mira</uri></author>
<link rel="alternate" type="text/html" href="${SITE_URL}/crates/tidepool/0.9.1"/>
</entry>
<entry>
<id>${SITE_URL}/crates/tidepool/1.0.0</id>
<title>tidepool 1.0.0</title>
<published>2026-03-14T09:26:53.000Z</published>
<updated>2026-03-14T09:26:53.000Z</updated>
<author><name>Mira &amp; Co</name><uri>${SITE_URL}/users/mira</uri></author>
<link rel="alternate" type="text/html" href="${SITE_URL}/crates/tidepool/1.0.0"/>
<category term="x&amp;y"/>
<summary>a &lt; b</summary>
</entry>
</feed>
`);
  });

  it('have the last versions of all crates, without yanked ones', async () => {
    const text = await feed('/feed.atom');
    expect(titlesIn(text)).toEqual(['tidepool 0.9.1', 'other 0.1.0-rc.1+b', 'tidepool 1.0.0']);
    expect(text).toContain('<title>New versions · Crate registry</title>');
    expect(text).toContain(`<id>${SITE_URL}/crates/other/0.1.0-rc.1%2Bb</id>`);
    expect(text).toContain('<author><name>ana</name>');
  });

  it('have the time of the last change even without versions', async () => {
    await using empty = await makePagesSite();
    const user = await empty.addUser('mira');
    expect((await empty.browser().get('/feed.atom')).text).toContain(
      '<updated>1970-01-01T00:00:00.000Z</updated>',
    );
    await empty.publish(user, { name: 'gone', version: '1.0.0' });
    await empty.store.records.setYanked({
      ...{ crate: 'gone', version: '1.0.0', isYanked: true, atMs: empty.nowMs, reason: null },
      actor: { user, token: null },
    });
    const { text } = await empty.browser().get('/crates/gone/feed.atom');
    expect(text).toContain('<updated>2026-03-14T09:26:53.000Z</updated>');
    expect(titlesIn(text)).toEqual([]);
  });

  it('have at most 50 entries', async () => {
    await using large = await makePagesSite();
    const user = await large.addUser('mira');
    for (let patch = 0; patch <= 52; patch += 1)
      await large.publish(user, { name: 'often', version: `1.0.${patch}` });
    for (const address of ['/feed.atom', '/crates/often/feed.atom']) {
      const titles = titlesIn((await large.browser().get(address)).text);
      expect(titles).toHaveLength(50);
      expect(titles[0]).toBe('often 1.0.52');
    }
  });

  it('are sent again only after a change', async () => {
    for (const address of ['/feed.atom', '/crates/tidepool/feed.atom']) {
      const first = await site.browser().get(address);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}"$/);
      const again = await site.browser().get(address, { 'if-none-match': `W/${etag}` });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await site.browser().get(address, { 'if-none-match': '"x"' })).status).toBe(200);
    }
    const before = (await site.browser().get('/crates/tidepool/feed.atom')).headers.get('etag') ?? '';
    await site.publish(mira, { name: 'tidepool', version: '3.0.0' });
    const changed = await site.browser().get('/crates/tidepool/feed.atom', { 'if-none-match': before });
    expect([changed.status, titlesIn(changed.text)[0]]).toEqual([200, 'tidepool 3.0.0']);
  });

  it('are compressed, run nothing and are not stored for others', async () => {
    const { headers } = await site.browser().get('/feed.atom');
    expect(headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toContain('Cookie');
    const answer = await site.app.request(`${SITE_URL}/feed.atom`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(Buffer.from(await answer.arrayBuffer())).toString()).toMatch(/^<\?xml /);
  });

  it('redirect to the exact spelling of a name, and do not exist for unknown crates', async () => {
    const { status, headers } = await site.browser().get('/crates/Tidepool/feed.atom');
    expect([status, headers.get('location')]).toEqual([303, '/crates/tidepool/feed.atom']);
    expect((await site.browser().get('/crates/nothing/feed.atom')).status).toBe(404);
  });

  it('require a sign-in if the registry does', async () => {
    await using closed = await makePagesSite({ authRequired: true });
    const user = await closed.addUser('mira');
    await closed.publish(user, { name: 'secret', version: '1.0.0' });
    const browser = closed.browser();
    for (const address of ['/feed.atom', '/crates/secret/feed.atom', '/crates/unknown/feed.atom']) {
      const { status, text, headers } = await browser.get(address);
      expect([status, text]).toEqual([303, '']);
      expect(headers.get('location')).toBe(`/sign-in?return=${encodeURIComponent(address)}`);
    }
    expect((await browser.get('/sign-in')).text).not.toContain('feed.atom"');
    await browser.signIn('mira');
    expect(titlesIn((await browser.get('/feed.atom')).text)).toEqual(['secret 1.0.0']);
  });

  it('are linked on the pages that they belong to', async () => {
    const page = (await site.browser().get('/crates/tidepool/1.0.0/features')).text;
    expect(page).toContain(
      '<link rel="alternate" type="application/atom+xml" title="New versions of tidepool" href="/crates/tidepool/feed.atom">',
    );
    expect(page).toMatch(
      /<svg class="icon"[^]{0,300}<a href="\/crates\/tidepool\/feed\.atom"[^>]*>Feed of new versions<\/a>/,
    );
    const home = (await site.browser().get('/')).text;
    expect(home).toContain(
      '<link rel="alternate" type="application/atom+xml" title="New versions of all crates" href="/feed.atom">',
    );
    expect(home).toContain('<a href="/feed.atom">Feed');
  });

  it('escape all texts, and replace characters that XML cannot express', async () => {
    const version = await site.store.records.findVersion('tidepool', '1.0.0');
    if (version === null) throw new Error('not published');
    for (const attack of FEED_ATTACKS) {
      const metadata = { ...version.metadata, description: attack, keywords: [attack] };
      const { text } = feedDocument({
        ...{ baseUrl: SITE_URL, siteName: attack, title: attack, path: '/feed.atom', pagePath: '/' },
        ...{ emptySinceMs: 0, versions: [{ ...version, publisherName: attack, metadata }] },
      });
      // Only the characters of XML 1.0, section 2.2.
      expect(text).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
      const rest = text.replace(
        /<\/?(?:feed|id|title|updated|published|author|name|uri|link|entry|category|summary)(?: [a-z:]+="[^"<>]*")*\/?>/g,
        '',
      );
      expect(rest.replace('<?xml version="1.0" encoding="utf-8"?>', '')).not.toMatch(/[<>]/);
      expect(rest).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
    }
  });
});
