import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makePagesSite, type PagesSite, type TestBrowser } from '../../../helpers/pages-site.ts';
import { makeSecret } from '../../../../src/server/auth/tokens.ts';
import { KeyThreads, PasswordsBusy } from '../../../../src/server/auth/key-threads.ts';
import type { User } from '../../../../src/server/store/values.ts';

let site: PagesSite;
let admin: TestBrowser;
let owner: User;

beforeEach(async () => {
  site = await makePagesSite();
  await site.addUser('root', { isAdmin: true });
  owner = await site.addUser('mira');
  for (const version of ['1.0.0', '1.1.0']) await site.publish(owner, { name: 'tidepool', version });
  admin = site.browser();
  await admin.signIn('root');
});

afterEach(async () => site[Symbol.asyncDispose]());

const PLACES = [
  '/admin',
  '/admin/users',
  '/admin/users/mira',
  '/admin/teams',
  '/admin/crates',
  '/admin/crates/tidepool/delete',
  '/admin/crates/tidepool/1.0.0/delete',
  '/admin/publishers',
  '/admin/audit',
  '/admin/settings',
];
const ACTIONS = [
  '/admin/users',
  '/admin/users/mira',
  '/admin/users/mira/password',
  '/admin/users/mira/password/remove',
  '/admin/users/mira/tokens/1/revoke',
  '/admin/crates/tidepool/delete',
  '/admin/crates/tidepool/1.0.0/delete',
  '/admin/publishers',
  '/admin/publishers/1/remove',
];

describe('the admin pages', () => {
  it('are for admins only', async () => {
    const user = site.browser();
    await user.signIn('mira');
    for (const place of PLACES) {
      expect((await site.browser().get(place)).status, place).toBe(303);
      const { status, text } = await user.get(place);
      expect(status, place).toBe(403);
      expect(text, place).toContain('Only admins of this registry may see this page.');
      expect((await admin.get(place)).status, place).toBe(200);
    }
    for (const action of ACTIONS) {
      const fields = { login: 'eve', admin: 'on', confirm: 'tidepool' };
      expect((await user.submit('/me', action, fields)).status, action).toBe(403);
      expect((await site.browser().post(action, fields)).status, action).toBe(303);
      expect((await admin.post(action, { ...fields, csrf: 'x' })).status, action).toBe(403);
    }
    expect(await site.store.records.findUser('eve')).toBeNull();
    expect(await site.store.records.findCrate('tidepool')).not.toBeNull();
    expect((await site.store.records.findUser('mira'))?.isAdmin).toBe(false);
  });

  it('ignore an unknown `done`, even if it is a property of every object', async () => {
    for (const place of ['/me', '/admin/users', '/admin/users/mira', '/admin/publishers']) {
      const { status, text } = await admin.get(`${place}?done=constructor`);
      expect([status, text.includes('class="note')], place).toEqual([200, false]);
    }
  });

  it('and their errors are not stored by browsers', async () => {
    const { status, headers } = await admin.get('/admin/users/nobody');
    expect([status, headers.get('cache-control')]).toEqual([404, 'private, no-store']);
  });

  it('are closed to former admins', async () => {
    const root = await site.store.records.findUser('root');
    await site.store.records.updateUser(root?.id ?? 0, { isAdmin: false });
    expect((await admin.get('/admin')).status).toBe(403);
  });

  it('are linked only for admins', async () => {
    const user = site.browser();
    await user.signIn('mira');
    for (const place of ['/me', '/crates/tidepool', '/crates/tidepool/versions']) {
      expect((await user.get(place)).text, place).not.toContain('/admin');
      expect((await admin.get(place)).text, place).toContain('/admin');
    }
  });
});

describe('users', () => {
  it('can be created and sign in', async () => {
    const fields = { login: 'Eve.1', name: 'Eve', password: 'a long password', admin: 'on' };
    const made = await admin.submit('/admin/users', '/admin/users', fields);
    expect(made.headers.get('location')).toBe('/admin/users/Eve.1?done=made');
    expect((await admin.get('/admin/users/Eve.1?done=made')).text).toContain('User created.');
    expect(await site.store.records.findUser('eve.1')).toMatchObject({
      login: 'Eve.1',
      name: 'Eve',
      isAdmin: true,
    });
    expect((await site.browser().signIn('eve.1', 'a long password')).status).toBe(303);
  });

  it('are not created if too many passwords are being hashed', async () => {
    const derive = vi.spyOn(KeyThreads.prototype, 'derive').mockRejectedValue(new PasswordsBusy());
    const fields = { login: 'eve', name: '', password: 'a long password' };
    const busy = await admin.submit('/admin/users', '/admin/users', fields);
    derive.mockRestore();
    expect(busy.status).toBe(429);
    expect(await site.store.records.findUser('eve')).toBeNull();
  });

  it('can be created without a password and then cannot sign in', async () => {
    await admin.submit('/admin/users', '/admin/users', { login: 'bot', name: '', password: '' });
    expect(await site.store.records.findUser('bot')).toMatchObject({
      name: null,
      isAdmin: false,
      hasPassword: false,
    });
    expect((await site.browser().signIn('bot', '')).status).toBe(422);
  });

  it.each([
    [{ login: 'MIRA' }, 'The login “MIRA” is taken.'],
    [{ login: '' }, 'A login is needed.'],
    [{ login: 'a b' }, 'A login may contain only'],
    [{ login: '../x' }, 'A login may contain only'],
    [{ login: 'x'.repeat(65) }, 'The login is too long'],
    [{ login: 'eve', password: 'short' }, 'too short'],
  ])('are not created with %j', async (fields, words) => {
    const { status, text } = await admin.submit('/admin/users', '/admin/users', {
      name: '',
      password: '',
      ...fields,
    });
    expect(status).toBe(422);
    expect(text).toContain(words);
    expect((await site.store.records.count()).users).toBe(2);
  });

  it('can be disabled, enabled, renamed and made admins', async () => {
    const mira = site.browser();
    await mira.signIn('mira');
    const page = '/admin/users/mira';
    await admin.submit(page, page, { name: 'Mira O.', disabled: 'on', admin: 'on' });
    expect(await site.store.records.findUser('mira')).toMatchObject({
      name: 'Mira O.',
      isDisabled: true,
      isAdmin: true,
    });
    expect((await mira.get('/me')).status).toBe(303);
    await admin.submit(page, page, { name: '' });
    expect(await site.store.records.findUser('mira')).toMatchObject({
      name: null,
      isDisabled: false,
      isAdmin: false,
    });
    const { items } = await site.store.records.listAudit({ action: 'change-user' }, { limit: 9, offset: 0 });
    expect(items.map(({ actor, subject, detail }) => [actor, subject, detail])).toEqual([
      ['root', 'mira', 'name, no longer admin, no longer disabled'],
      ['root', 'mira', 'name, admin, disabled'],
    ]);
  });

  it('cannot disable themselves or remove their own admin rights', async () => {
    await admin.submit('/admin/users/root', '/admin/users/root', { name: 'Root', disabled: 'on' });
    expect(await site.store.records.findUser('root')).toMatchObject({
      name: 'Root',
      isAdmin: true,
      isDisabled: false,
    });
  });

  it('can get a new password, which ends their sessions', async () => {
    const mira = site.browser();
    await mira.signIn('mira');
    const page = '/admin/users/mira';
    await admin.submit(page, `${page}/password`, { password: 'another long password' });
    expect((await mira.get('/me')).status).toBe(303);
    expect((await mira.signIn('mira', 'another long password')).status).toBe(303);
    expect((await admin.submit(page, `${page}/password`, { password: 'short' })).status).toBe(422);
  });

  it('keep their password if the field for a new one is empty', async () => {
    const page = '/admin/users/mira';
    expect((await admin.get(page)).text).toMatch(/<input id="password"[^>]* required /);
    const refused = await admin.submit(page, `${page}/password`, { password: '' });
    expect([refused.status, refused.text.includes('The password is too short')]).toEqual([422, true]);
    expect((await site.browser().signIn('mira')).status).toBe(303);
  });

  it('cannot remove their own password', async () => {
    const page = '/admin/users/root';
    expect((await admin.get(page)).text).not.toContain('Remove password');
    const refused = await admin.submit(page, `${page}/password/remove`, {});
    expect([refused.status, refused.text.includes('You cannot remove your own password.')]).toEqual([
      422,
      true,
    ]);
    expect(await site.store.records.findUser('root')).toMatchObject({ hasPassword: true });
  });

  it('lose their password and their sessions by a form of its own, behind a first click', async () => {
    const mira = site.browser();
    await mira.signIn('mira');
    const page = '/admin/users/mira';
    expect((await admin.get(page)).text).toContain(
      '<details class="act after"><summary>Remove password…<span class="silent"> of mira</span></summary>',
    );
    const removed = await admin.submit(page, `${page}/password/remove`, {});
    expect(removed.headers.get('location')).toBe(`${page}?done=no-password`);
    expect(await site.store.records.findUser('mira')).toMatchObject({ hasPassword: false });
    expect((await mira.get('/me')).status).toBe(303);
    const { items } = await site.store.records.listAudit({ action: 'change-user' }, { limit: 1, offset: 0 });
    expect(items).toMatchObject([{ actor: 'root', subject: 'mira', detail: 'password removed' }]);
    const { text } = await admin.get(page);
    expect(text).toContain('This user has no password');
    expect(text).not.toContain('Remove password');
  });

  it('have no page if they do not exist', async () => {
    expect((await admin.get('/admin/users/nobody')).status).toBe(404);
  });
});

describe('tokens of a user', () => {
  const page = '/admin/users/mira';

  async function makeToken(name: string): Promise<number> {
    const { secret, hash, prefix } = makeSecret();
    const token = await site.store.records.createToken({
      ...{ userId: owner.id, name, hash, prefix, scopes: ['read'], cratePatterns: [] },
      ...{ createdAtMs: site.nowMs, expiresAtMs: null },
    });
    secrets.push(secret);
    return token.id;
  }
  const secrets: string[] = [];

  it('are listed and can be revoked, with an audit entry', async () => {
    const id = await makeToken('ci <b>');
    const { text } = await admin.get(page);
    expect(text).toContain('<strong>ci &lt;b&gt;</strong>');
    for (const secret of secrets) expect(text).not.toContain(secret);
    const revoked = await admin.submit(page, `${page}/tokens/${id}/revoke`, {});
    expect(revoked.headers.get('location')).toBe(`${page}?done=revoked`);
    expect((await admin.get(`${page}?done=revoked`)).text).toContain('badge bad">revoked');
    expect((await site.store.records.findToken(id))?.token.revokedAtMs).toBe(site.nowMs);
    await admin.submit(page, `${page}/tokens/${id}/revoke`, {});
    const { items } = await site.store.records.listAudit({ action: 'revoke-token' }, { limit: 9, offset: 0 });
    expect(items).toMatchObject([{ actor: 'root', subject: 'mira', tokenId: id, detail: 'ci <b>' }]);
  });

  it('are revoked only through the page of their user', async () => {
    const id = await makeToken('ci');
    await admin.submit(page, `/admin/users/root/tokens/${id}/revoke`, {});
    expect((await admin.submit(page, `/admin/users/nobody/tokens/${id}/revoke`, {})).status).toBe(404);
    expect((await admin.submit(page, `${page}/tokens/x/revoke`, {})).status).toBe(404);
    expect((await site.store.records.findToken(id))?.token.revokedAtMs).toBeNull();
  });

  it('have pages if there are many', async () => {
    for (let i = 1; i <= 51; i += 1) await makeToken(`t${i}`);
    expect((await admin.get(page)).text).toContain(`href="${page}?tokens=2#tokens">Next</a>`);
    expect((await admin.get(`${page}?tokens=2`)).text).toContain('<strong>t1</strong>');
  });
});

describe('deleting', () => {
  it('requires the exact name as confirmation', async () => {
    const page = '/admin/crates/tidepool/delete';
    for (const confirm of ['', 'tidepoo', 'TIDEPOOL', 'tidepool@1.0.0']) {
      const { status, text } = await admin.submit(page, page, { confirm, reason: 'a <b> reason' });
      expect(status, confirm).toBe(422);
      expect(text, confirm).toContain('Nothing was deleted');
      expect(text, confirm).toContain('value="a &lt;b&gt; reason"');
    }
    expect(await site.store.records.findCrate('tidepool')).not.toBeNull();
  });

  it('removes a version and its archive', async () => {
    const page = '/admin/crates/tidepool/1.1.0/delete';
    const version = await site.store.records.findVersion('tidepool', '1.1.0');
    const done = await admin.submit(page, page, { confirm: 'tidepool@1.1.0', reason: 'leaked a key' });
    expect(done.headers.get('location')).toBe('/crates/tidepool/versions');
    expect(
      (await site.store.records.listVersions('tidepool', { limit: 9, offset: 0 })).items.map(
        ({ version: text }) => text,
      ),
    ).toEqual(['1.0.0']);
    expect(await site.store.blobs.stat(version?.blobKey ?? '')).toBeNull();
    const { items } = await site.store.records.listAudit(
      { action: 'delete-version' },
      { limit: 9, offset: 0 },
    );
    expect(items[0]).toMatchObject({ actor: 'root', crate: 'tidepool', version: '1.1.0' });
    expect((await admin.get('/admin/audit')).text).toContain('leaked a key');
  });

  it('removes the crate with its last version', async () => {
    const pageOf = (version: string): string => `/admin/crates/tidepool/${version}/delete`;
    await admin.submit(pageOf('1.1.0'), pageOf('1.1.0'), { confirm: 'tidepool@1.1.0' });
    const done = await admin.submit(pageOf('1.0.0'), pageOf('1.0.0'), { confirm: 'tidepool@1.0.0' });
    expect(done.headers.get('location')).toBe('/admin/crates?done=deleted');
    expect((await admin.get('/crates/tidepool')).status).toBe(404);
  });

  it('removes a crate', async () => {
    const page = '/admin/crates/tidepool/delete';
    expect((await admin.get(page)).text).toContain('2 versions');
    const done = await admin.submit(page, page, { confirm: 'tidepool', reason: '' });
    expect(done.headers.get('location')).toBe('/admin/crates?done=deleted');
    expect((await admin.get('/admin/crates?done=deleted')).text).toContain('The crate was deleted.');
    expect((await admin.get('/crates/tidepool')).status).toBe(404);
    expect((await admin.submit('/admin/users', page, { confirm: 'tidepool' })).status).toBe(404);
  });
});

describe('trusted publishers', () => {
  const page = '/admin/publishers';
  const fields = {
    ...{ issuer: 'https://ci.example', claims: 'repository=acme/tidepool\r\n\r\nref=refs/tags/*' },
    ...{ patterns: 'tidepool, tide-*', login: '' },
  };

  it('can be added and removed', async () => {
    const added = await admin.submit(page, page, fields);
    expect(added.headers.get('location')).toBe('/admin/publishers?done=added');
    const { text } = await admin.get('/admin/publishers?done=added');
    for (const shown of ['Publisher added', 'https://ci.example', 'ref=refs/tags/*', 'tide-*', '>mira<'])
      expect(text).toContain(shown);
    const [publisher] = await site.store.records.listPublishers();
    expect(publisher).toMatchObject({ user: { login: 'mira' }, cratePatterns: ['tidepool', 'tide-*'] });
    const { items } = await site.store.records.listAudit({ actor: 'root' }, { limit: 1, offset: 0 });
    expect(items).toMatchObject([{ action: 'add-publisher', subject: 'mira' }]);
    for (const id of ['x', '99', String(publisher?.id)]) {
      const { status, headers } = await admin.submit(page, `${page}/${id}/remove`, {});
      expect(status, id).toBe(id === 'x' ? 404 : 303);
      const done = id === '99' ? 'gone' : 'removed';
      if (id !== 'x') expect(headers.get('location')).toBe(`${page}?done=${done}`);
    }
    expect((await admin.get(`${page}?done=gone`)).text).toContain('Nothing changed');
    expect(await site.store.records.listPublishers()).toEqual([]);
  });

  it('cannot be added twice for a user, in any order and spelling of their crates', async () => {
    await admin.submit(page, page, fields);
    const again = await admin.submit(page, page, { ...fields, patterns: 'tide-*, Tidepool', login: 'mira' });
    expect(again.status).toBe(422);
    expect(again.text).toContain('This publisher of “mira” exists already');
    await admin.submit(page, page, { ...fields, patterns: 'tidepool' });
    await admin.submit(page, page, { ...fields, login: 'root' });
    expect(await site.store.records.listPublishers()).toHaveLength(3);
  });

  it('cannot be added twice at the same time', async () => {
    const publisher = {
      ...{ issuer: 'https://ci.example', claims: [{ name: 'sub', value: 'a' }], cratePatterns: ['tidepool'] },
      ...{ userId: owner.id, atMs: site.nowMs, actor: null },
    };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => site.store.records.createPublisher(publisher)),
    );
    expect(outcomes.filter((created) => created !== null)).toHaveLength(1);
    expect(await site.store.records.listPublishers()).toHaveLength(1);
  });

  it('have pages if there are many', async () => {
    for (let i = 1; i <= 51; i += 1) {
      await site.store.records.createPublisher({
        ...{
          issuer: `https://ci-${i}.example`,
          claims: [{ name: 'sub', value: 'a' }],
          cratePatterns: ['tidepool'],
        },
        ...{ userId: owner.id, atMs: site.nowMs, actor: null },
      });
    }
    const { text } = await admin.get(page);
    expect(text).toContain('51 publishers');
    expect(text).not.toContain('https://ci-51.example');
    expect(text).toContain('href="/admin/publishers?page=2">Next</a>');
    expect((await admin.get(`${page}?page=2`)).text).toContain('https://ci-51.example');
  });

  it.each([
    [{ claims: 'nonsense' }, '“nonsense” is not KEY=VALUE.'],
    [{ claims: '' }, 'A publisher needs a claim'],
    [{ patterns: 'nothing-yet' }, 'There is no crate “nothing-yet” yet'],
    [{ login: 'nobody' }, 'There is no user “nobody”: “tsreg serve user nobody” creates one.'],
    [{ issuer: 'ftp://ci.example' }, '“ftp://ci.example” is not the address of an issuer'],
  ])('cannot be added with %j', async (more, message) => {
    const { status, text } = await admin.submit(page, page, { ...fields, ...more });
    expect(status).toBe(422);
    expect(text).toContain(message);
    expect(await site.store.records.listPublishers()).toEqual([]);
  });
});
