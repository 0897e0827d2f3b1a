import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSecret } from '../../../../src/server/auth/tokens.ts';
import type { User } from '../../../../src/server/store/values.ts';
import { makePagesSite, PASSWORD, type PagesSite, type TestBrowser } from '../../../helpers/pages-site.ts';

let site: PagesSite;
let admin: TestBrowser;
let root: User;

beforeEach(async () => {
  site = await makePagesSite();
  root = await site.addUser('root', { isAdmin: true });
  admin = site.browser();
  await admin.signIn('root');
});

afterEach(async () => site[Symbol.asyncDispose]());

/** Returns the figures of a page by label. */
async function figures(): Promise<Readonly<Record<string, string>>> {
  const { text } = await admin.get('/admin');
  const cards = text.matchAll(/<div class="card"><dt>(.*?)<\/dt><dd>(.*?)(?:<span|<\/dd>)/gs);
  return Object.fromEntries(Array.from(cards, ([, label = '', value = '']) => [label, value]));
}

async function makeToken(more: { readonly expiresAtMs?: number } = {}): Promise<number> {
  const { hash, prefix } = makeSecret();
  const token = await site.store.records.createToken({
    ...{ userId: root.id, name: 'ci', hash, prefix, scopes: ['read'], cratePatterns: [] },
    ...{ createdAtMs: site.nowMs, expiresAtMs: null, ...more },
  });
  return token.id;
}

it('shows the size and the use of the registry', async () => {
  for (const version of ['1.0.0', '1.1.0'])
    await site.publish(root, { name: 'abc', version }, new Uint8Array(1024));
  await site.store.records.addDownloads([{ crate: 'abc', version: '1.0.0', count: 1234 }], 1);
  await makeToken();
  await makeToken({ expiresAtMs: site.nowMs });
  await site.store.records.revokeToken({ userId: root.id, tokenId: await makeToken(), atMs: 1 });
  expect(await figures()).toEqual({
    ...{ Crates: '1', Versions: '2', 'Published files': '2.0 KiB', Downloads: '1,234' },
    ...{ Users: '1', 'Usable tokens': '1', 'Failed sign-ins': '0' },
  });
});

it('sums the sizes again after some minutes', async () => {
  expect((await figures())['Published files']).toBe('0 B');
  await site.publish(root, { name: 'abc', version: '1.0.0' }, new Uint8Array(1024));
  site.nowMs += 4 * 60_000;
  expect((await figures())['Published files']).toBe('0 B');
  site.nowMs += 60_000;
  expect((await figures())['Published files']).toBe('1.0 KiB');
});

it('counts failed sign-ins and wrong current passwords of the last 24 hours', async () => {
  await site.browser().signIn('root', 'a wrong password');
  await site.browser().signIn('nobody', PASSWORD);
  const fields = { old: 'a wrong one', new: 'another long password', again: 'another long password' };
  await admin.submit('/me', '/me/password', fields);
  expect((await figures())['Failed sign-ins']).toBe('3');
  expect((await admin.get('/admin')).text).toContain('since this server started');
  site.nowMs += 25 * 60 * 60_000;
  expect((await figures())['Failed sign-ins']).toBe('0');
  expect((await admin.get('/admin')).text).toContain('last 24 hours, this server');
});

it('shows the latest entries of the audit trail in words', async () => {
  for (let i = 1; i <= 12; i += 1) {
    await site.store.records.addAudit({
      ...{ atMs: site.nowMs, actor: 'root', action: 'yank', crate: 'acme-core', version: `1.${i}.0` },
    });
  }
  const { text } = await admin.get('/admin');
  expect(text).toContain('yanked <a href="/crates/acme-core/1.12.0">acme-core 1.12.0</a>');
  expect(text).not.toContain('acme-core 1.2.0</a>');
});

it('shows that the store works, and the release', async () => {
  const { text } = await admin.get('/admin');
  expect(text.match(/>readable and writable</g)).toHaveLength(2);
  expect(text).toContain('<dt>Last failure</dt><dd>none since this server started</dd>');
  expect(text).toContain('<dd>tsreg 1.2.3, ');
  expect(text).not.toContain('<dt>Upstream</dt>');
});

it('shows a part of the store that fails, and its last failure once it works again', async () => {
  const { blobs } = site.context;
  const ping = blobs.ping.bind(blobs);
  let isBroken = true;
  blobs.ping = () => (isBroken ? Promise.reject(new Error('no space <left>')) : ping());
  const broken = (await admin.get('/admin')).text;
  expect(broken).toContain('<dt>Crate files</dt><dd><span class="badge bad">failing</span></dd>');
  isBroken = false;
  site.nowMs += 60_000;
  const { text } = await admin.get('/admin');
  expect(text.match(/>readable and writable</g)).toHaveLength(2);
  expect(text).toContain('09:26 UTC</time>, crate files: no space &lt;left&gt;');
});

it('shows that the records are read-only', async () => {
  await site.store.records.setReadOnly();
  expect((await admin.get('/admin')).text).toContain('read-only: changes are refused');
  await site.store.records.setWritable();
});
