import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditAction } from '../../../../src/server/store/values.ts';
import {
  makePagesSite,
  type PagesSite,
  type TestBrowser,
  type TestPage,
} from '../../../helpers/pages-site.ts';

const ADMIN = '/admin/teams';
const TEAM = '/admin/teams/infra';

let site: PagesSite;
let admin: TestBrowser;

beforeEach(async () => {
  site = await makePagesSite();
  await site.addUser('root', { isAdmin: true });
  const mira = await site.addUser('mira', { name: 'Mira <b>' });
  await site.addUser('eve');
  await site.publish(mira, { name: 'mug', version: '1.0.0' });
  admin = await signedIn('root');
  await site.store.records.createTeam({ name: 'infra', atMs: site.nowMs, actor: null });
});

afterEach(async () => site[Symbol.asyncDispose]());

async function signedIn(login: string): Promise<TestBrowser> {
  const browser = site.browser();
  await browser.signIn(login);
  return browser;
}

const submit = (form: string, fields: Record<string, string>): Promise<TestPage> =>
  admin.submit(TEAM, `${TEAM}/${form}`, fields);

async function addMembers(...logins: string[]): Promise<void> {
  const change = { team: 'infra', action: 'add', logins, atMs: 1, actor: null } as const;
  expect((await site.store.records.changeMembers(change)).kind).toBe('changed');
}

async function own(crate: string): Promise<void> {
  const user = await site.store.records.findUser('root');
  if (user === null) throw new Error('no admin');
  const actor = { user, token: null };
  const change = { crate, action: 'add', logins: ['team:infra'], atMs: 1, actor } as const;
  expect((await site.store.records.changeOwners(change)).kind).toBe('changed');
}

async function logins(): Promise<readonly string[] | undefined> {
  return (await site.store.records.findTeam('infra'))?.members.map(({ login }) => login);
}

async function audited(action: AuditAction): Promise<unknown> {
  const { items } = await site.store.records.listAudit({ action }, { limit: 9, offset: 0 });
  return items.map(({ actor, subject, detail }) => [actor, subject, detail]);
}

describe('the admin pages of teams', () => {
  it('are for admins only', async () => {
    const mira = await signedIn('mira');
    for (const place of [ADMIN, TEAM]) {
      expect((await site.browser().get(place)).status, place).toBe(303);
      expect((await mira.get(place)).status, place).toBe(403);
    }
    for (const action of [ADMIN, `${TEAM}/members`, `${TEAM}/members/remove`, `${TEAM}/delete`]) {
      const fields = { name: 'mine', logins: 'mira', login: 'mira', confirm: 'infra' };
      expect((await mira.submit('/me', action, fields)).status, action).toBe(403);
      expect((await admin.post(action, fields)).status, action).toBe(403);
    }
    expect(await logins()).toEqual([]);
    expect(await site.store.records.findTeam('mine')).toBeNull();
  });

  it('create a team, and list it with its members and crates', async () => {
    const made = await admin.submit(ADMIN, ADMIN, { name: ' Data.Platform ' });
    expect(made.headers.get('location')).toBe('/admin/teams/Data.Platform?done=made');
    expect((await admin.get('/admin/teams/Data.Platform?done=made')).text).toContain('Team created.');
    await addMembers('eve', 'mira');
    await own('mug');
    const { text } = await admin.get(ADMIN);
    expect(text).toContain('2 teams.');
    expect(text).toContain('<a href="/admin/teams/infra">infra</a>');
    expect(text).toContain('data-label="Members">2<');
    expect(text).toContain('data-label="Crates">1<');
    expect(await audited('make-team')).toEqual([
      ['root', 'team:Data.Platform', null],
      [null, 'team:infra', null],
    ]);
  });

  it.each([
    ['', 'A name is needed.'],
    ['INFRA', 'The name “INFRA” is taken.'],
    ['<b>', 'may contain only letters'],
    ['a:b', 'may contain only letters'],
    ['..', 'may contain only letters'],
    ['x'.repeat(51), 'at most 50 characters'],
  ])('do not create a team named “%s”', async (name, problem) => {
    const { status, text } = await admin.submit(ADMIN, ADMIN, { name });
    expect([status, text.includes(problem)]).toEqual([422, true]);
    expect((await site.store.records.listTeams({ limit: 9, offset: 0 })).total).toBe(1);
  });

  it('add and remove members', async () => {
    const added = await submit('members', { logins: ' EVE, mira\n' });
    expect(added.headers.get('location')).toBe(`${TEAM}?done=added`);
    const { text } = await admin.get(`${TEAM}?done=added`);
    expect(text).toContain('Members added.');
    expect(text).toContain('<a href="/admin/users/mira">mira</a> <span class="quiet">Mira &lt;b&gt;</span>');
    expect((await submit('members/remove', { login: 'eve' })).headers.get('location')).toBe(
      `${TEAM}?done=removed`,
    );
    expect(await logins()).toEqual(['mira']);
    expect(await audited('add-member')).toEqual([
      ['root', 'mira', 'team:infra'],
      ['root', 'eve', 'team:infra'],
    ]);
    expect(await audited('remove-member')).toEqual([['root', 'eve', 'team:infra']]);
  });

  it.each([
    ['members', { logins: 'eve nobody' }, 'There is no user “nobody”.'],
    ['members', { logins: 'mira' }, 'Everyone you named is already a member.'],
    ['members', { logins: ' , ' }, 'Name at least one user.'],
    ['members', { logins: 'eve '.repeat(51) }, 'Add at most 50 members at once.'],
    ['members/remove', { login: 'eve' }, 'eve is not a member.'],
    ['members/remove', {}, 'There is no user “”.'],
  ])('change no members after %s with %o', async (form, fields, problem) => {
    await addMembers('mira');
    const { status, text } = await submit(form, fields as Record<string, string>);
    expect([status, text.includes(problem)]).toEqual([422, true]);
    expect(await logins()).toEqual(['mira']);
  });

  it('delete a team without crates at once, and one with crates after its name was typed', async () => {
    await addMembers('eve');
    await own('mug');
    expect((await admin.get(TEAM)).text).toContain('Type <code>infra</code> to confirm');
    const { status, text } = await submit('delete', { confirm: 'mug' });
    expect([status, text.includes('Nothing was deleted')]).toEqual([422, true]);
    expect((await submit('delete', { confirm: 'infra' })).headers.get('location')).toBe(
      `${ADMIN}?done=deleted`,
    );
    expect(await site.store.records.listOwnerTeams('mug')).toEqual([]);
    expect((await admin.get(TEAM)).status).toBe(404);
    await admin.submit(ADMIN, ADMIN, { name: 'infra' });
    expect((await admin.get(TEAM)).text).not.toContain('to confirm');
    expect((await submit('delete', {})).status).toBe(303);
    expect((await admin.submit(ADMIN, `${TEAM}/delete`, {})).status).toBe(404);
    expect((await admin.submit(ADMIN, `${TEAM}/members`, { logins: 'eve' })).status).toBe(404);
  });

  it('have links in the audit trail', async () => {
    await submit('members', { logins: 'eve' });
    await own('mug');
    const { text } = await admin.get('/admin/audit');
    expect(text).toContain('made the team <a href="/admin/teams/infra">infra</a> an owner of');
    expect(text).toContain('added <a href="/admin/users/eve">eve</a> to a team');
    await submit('delete', { confirm: 'infra' });
    expect((await admin.get('/admin/audit')).text).toContain('deleted the team infra');
  });
});

describe('the page of a team', () => {
  it('has its crates for everyone, and its members for signed-in readers', async () => {
    await addMembers('eve');
    await own('mug');
    const visitor = await site.browser().get('/teams/infra');
    expect(visitor.status).toBe(200);
    expect(visitor.text).toContain('<a href="/crates/mug">mug</a>');
    expect(visitor.text).toContain('value="owner:team:infra "');
    expect(visitor.text).toContain('<a href="/sign-in?return=%2Fteams%2Finfra" rel="nofollow">Sign in</a>');
    expect(visitor.text).not.toContain('/users/eve');
    const { text } = await (await signedIn('mira')).get('/teams/infra');
    expect(text).toContain('href="/users/eve"');
    expect(text).not.toContain(TEAM);
    expect((await admin.get('/teams/infra')).text).toContain(`<a href="${TEAM}">Manage this team</a>`);
    expect((await admin.get('/teams/INFRA?sort=name')).headers.get('location')).toBe(
      '/teams/infra?sort=name',
    );
  });

  it('without crates looks to visitors like one that does not exist', async () => {
    const [hidden, absent] = await Promise.all(
      ['infra', 'other'].map((name) => site.browser().get(`/teams/${name}`)),
    );
    expect([hidden?.status, absent?.status]).toEqual([404, 404]);
    expect(hidden?.text.replaceAll('infra', 'other')).toBe(absent?.text);
    const { status, text } = await (await signedIn('eve')).get('/teams/infra');
    expect([status, text.includes('This team has no members.')]).toEqual([200, true]);
    expect((await site.browser().get('/teams/%3Cb%3E')).text).toContain('“&lt;b&gt;”');
  });

  it('is linked from the account page of its members', async () => {
    const eve = await signedIn('eve');
    expect((await eve.get('/me')).text).not.toContain('Your teams');
    await addMembers('eve');
    const { text } = await eve.get('/me');
    expect(text).toContain('Your teams');
    expect(text).toContain('href="/teams/infra"');
  });

  it('is what a search for its login finds', async () => {
    await own('mug');
    const { text } = await site.browser().get('/?q=owner%3Ateam%3AInfra');
    expect(text).toContain('<a href="/crates/mug">mug</a>');
  });

  it('folds a long list of members', async () => {
    const many = Array.from({ length: 31 }, (_, index) => `member-${index}`);
    for (const login of many) {
      await site.store.records.createUser({ login, name: null, isAdmin: false, atMs: 1 });
    }
    await addMembers(...many);
    expect((await admin.get('/teams/infra')).text).toContain('<summary>31 members</summary>');
  });
});
