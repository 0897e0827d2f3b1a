import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AuditAction, AuditEntry, User } from '../../../../src/server/store/values.ts';
import { MAX_YANK_REASON_CHARS } from '../../../../src/server/store/publish-records.ts';
import { addPublisher } from '../../../../src/server/trusted/publishers.ts';
import { makePagesSite, type PagesSite, type TestBrowser } from '../../../helpers/pages-site.ts';

const PAGE = '/crates/mug/settings';
const GITHUB = 'https://token.actions.githubusercontent.com';

let site: PagesSite;
let browser: TestBrowser;
let mira: User;

beforeEach(async () => {
  site = await makePagesSite();
  mira = await site.addUser('mira', { name: 'Mira <b>' });
  await site.addUser('eve');
  for (const version of ['1.0.0', '1.1.0+build']) await site.publish(mira, { name: 'mug', version });
  browser = site.browser();
  await browser.signIn('mira');
});

afterEach(async () => site[Symbol.asyncDispose]());

const submit = (
  form: string,
  fields: Record<string, string>,
): Promise<{ status: number; text: string; headers: Headers }> =>
  browser.submit(PAGE, `${PAGE}/${form}`, fields);

async function audit(action: AuditAction): Promise<readonly AuditEntry[]> {
  return (await site.store.records.listAudit({ action }, { limit: 9, offset: 0 })).items;
}

async function signedIn(login: string): Promise<TestBrowser> {
  const other = site.browser();
  await other.signIn(login);
  return other;
}

describe('the settings of a crate', () => {
  it('have a tab that only owners and admins see', async () => {
    const tab = `<a href="${PAGE}">Settings</a>`;
    await site.addUser('root', { isAdmin: true });
    for (const [login, isShown] of [
      ['mira', true],
      ['root', true],
      ['eve', false],
    ] as const)
      expect((await (await signedIn(login)).get('/crates/mug')).text.includes(tab), login).toBe(isShown);
    expect((await site.browser().get('/crates/mug')).text).not.toContain('/settings');
    expect((await browser.get(PAGE)).text).toContain(`<a href="${PAGE}" aria-current="page">Settings</a>`);
  });

  it('are a page for owners, a 403 for other users, and lead visitors to the sign-in page', async () => {
    expect((await browser.get(PAGE)).status).toBe(200);
    const { status, text } = await (await signedIn('eve')).get(PAGE);
    expect([status, text.includes('Only owners of this crate may change it.')]).toEqual([403, true]);
    expect((await site.browser().get(PAGE)).headers.get('location')).toBe(
      '/sign-in?return=%2Fcrates%2Fmug%2Fsettings',
    );
    expect((await browser.get('/crates/nothing/settings')).status).toBe(404);
    expect((await browser.get('/crates/Mug/settings')).headers.get('location')).toBe(PAGE);
  });

  it('are changed by no other user, without a proof, or from another site', async () => {
    const eve = await signedIn('eve');
    for (const [form, fields] of [
      ['settings/yank', { version: '1.0.0' }],
      ['settings/unyank', { version: '1.0.0' }],
      ['settings/owners', { login: 'eve' }],
      ['settings/owners/remove', { login: 'mira' }],
      ['settings/publishers', { issuer: GITHUB, claims: 'repository_id=1' }],
      ['settings/publishers/1/remove', {}],
      ['trusted-only', { only: 'yes' }],
    ] as const) {
      const path = `/crates/mug/${form}`;
      const statuses = [
        await eve.submit('/me', path, fields),
        await browser.post(path, fields),
        await browser.post(path, fields, { origin: 'https://evil.example' }),
      ].map(({ status }) => status);
      expect(statuses, form).toEqual([403, 403, 403]);
      expect((await site.browser().post(path, fields)).headers.get('location'), form).toBe('/sign-in');
      const missing = await browser.submit('/me', path.replace('mug', 'nothing'), fields);
      expect(missing.status, form).toBe(404);
    }
    const { records } = site.store;
    expect((await records.findVersion('mug', '1.0.0'))?.isYanked).toBe(false);
    expect((await records.listOwners('mug'))?.map(({ login }) => login)).toEqual(['mira']);
    expect(await records.listPublishers()).toEqual([]);
    expect((await records.findCrate('mug'))?.isTrustedOnly).toBe(false);
  });

  it('count as changes of the user, like requests to the web API', async () => {
    await using limited = await makePagesSite({
      limits: { ...site.context.settings.limits, changesPerMinute: 1 },
    });
    await limited.publish(await limited.addUser('mira'), { name: 'mug', version: '1.0.0' });
    const other = limited.browser();
    await other.signIn('mira');
    const yank = (action: string): ReturnType<TestBrowser['submit']> =>
      other.submit(PAGE, `${PAGE}/${action}`, { version: '1.0.0' });
    expect((await yank('yank')).status).toBe(303);
    const { status, headers, text } = await yank('unyank');
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(text).toContain('Too many changes');
    expect((await limited.store.records.findVersion('mug', '1.0.0'))?.isYanked).toBe(true);
  });
});

describe('a version', () => {
  it('is yanked with a reason, which readers see, and unyanked', async () => {
    const yanked = await submit('yank', { version: '1.1.0+build', reason: '  leaks <tea> ' });
    expect(yanked.headers.get('location')).toBe(`${PAGE}?done=yanked`);
    expect((await browser.get(`${PAGE}?done=yanked`)).text).toContain('role="status"><p>Version yanked.</p>');
    expect((await site.browser().get('/crates/mug/versions')).text).toContain('leaks &lt;tea&gt;');
    expect(await audit('yank')).toMatchObject([
      { actor: 'mira', crate: 'mug', version: '1.1.0+build', detail: 'leaks <tea>' },
    ]);
    expect((await submit('unyank', { version: '1.1.0+build' })).headers.get('location')).toBe(
      `${PAGE}?done=unyanked`,
    );
    expect(await site.store.records.findVersion('mug', '1.1.0+build')).toMatchObject({
      isYanked: false,
      yankReason: null,
    });
    expect(await audit('unyank')).toHaveLength(1);
  });

  it('is not yanked with a reason that is too long, which stays in its form', async () => {
    const reason = 'x'.repeat(MAX_YANK_REASON_CHARS + 1);
    const { status, text } = await submit('yank', { version: '1.0.0', reason });
    expect(status).toBe(422);
    expect(text).toContain('The reason is too long: at most 500 characters.');
    expect(text.match(/<details class="act" open>/g)).toHaveLength(1);
    expect(text).toContain(`value="${reason}"`);
    expect((await submit('yank', { version: '1.0.0', reason: reason.slice(1) })).status).toBe(303);
  });

  it('must exist', async () => {
    expect((await submit('yank', { version: '9.9.9' })).status).toBe(404);
    expect((await submit('yank', {})).status).toBe(404);
  });

  it('is on a part of a long list, to which its form returns', async () => {
    for (let i = 0; i < 20; i += 1) await site.publish(mira, { name: 'mug', version: `2.${i}.0` });
    const { text } = await browser.get(`${PAGE}?page=2`);
    expect(text).toContain(`action="${PAGE}/yank?page=2"`);
    const done = await submit('yank?page=2', { version: '1.0.0' });
    expect(done.headers.get('location')).toBe(`${PAGE}?done=yanked&page=2`);
  });
});

describe('owners', () => {
  it('are added and removed by their login', async () => {
    expect((await submit('owners', { login: ' EVE ' })).headers.get('location')).toBe(
      `${PAGE}?done=owner-added`,
    );
    const { text } = await browser.get(PAGE);
    expect(text).toContain('<a href="/users/eve">eve</a>');
    expect(text).toContain('Mira &lt;b&gt;');
    expect(text).toContain('<button class="danger slim">Remove yourself</button>');
    expect(await audit('add-owner')).toMatchObject([{ actor: 'mira', crate: 'mug', subject: 'eve' }]);
    expect((await submit('owners/remove', { login: 'eve' })).headers.get('location')).toBe(
      `${PAGE}?done=owner-removed`,
    );
    expect(await audit('remove-owner')).toHaveLength(1);
  });

  it('who remove themselves get to the page of the crate', async () => {
    await submit('owners', { login: 'eve' });
    expect((await submit('owners/remove', { login: 'Mira' })).headers.get('location')).toBe('/crates/mug');
    expect((await browser.get(PAGE)).status).toBe(403);
  });

  it.each([
    ['owners', 'nobody', 'There is no user “nobody”.'],
    ['owners', '', 'There is no user “”.'],
    ['owners', '<b>', 'There is no user “&lt;b&gt;”.'],
    ['owners', 'team:<b>', 'There is no team “&lt;b&gt;”.'],
    ['owners/remove', 'team:nobody', 'There is no team “nobody”.'],
    ['owners', 'mira', 'mira is already an owner.'],
    ['owners/remove', 'eve', 'eve is not an owner.'],
    ['owners/remove', 'mira', 'The last owner of a crate cannot be removed'],
  ])('stay the same after %s with “%s”', async (form, login, message) => {
    const { status, text } = await submit(form, { login });
    expect(status).toBe(422);
    expect(text).toContain(message);
    expect((await site.store.records.listOwners('mug'))?.map((owner) => owner.login)).toEqual(['mira']);
  });

  it('can be teams, which are added and removed by their login', async () => {
    await site.store.records.createTeam({ name: 'infra', atMs: 1, actor: null });
    expect((await submit('owners', { login: 'TEAM:Infra' })).headers.get('location')).toBe(
      `${PAGE}?done=owner-added`,
    );
    const { text } = await browser.get(PAGE);
    expect(text).toContain('<a href="/teams/infra">infra</a> <span class="badge">team</span>');
    expect(text).toContain('A crate needs a user as owner');
    expect((await site.browser().get('/crates/mug')).text).toContain('<a href="/teams/infra">infra</a>');
    expect(await audit('add-owner')).toMatchObject([{ actor: 'mira', crate: 'mug', subject: 'team:infra' }]);
    const again = await submit('owners', { login: 'team:infra' });
    expect([again.status, again.text.includes('team:infra is already an owner.')]).toEqual([422, true]);
    expect((await submit('owners/remove', { login: 'mira' })).text).toContain('add another user first');
    await submit('owners/remove', { login: 'team:infra' });
    expect(await site.store.records.listOwnerTeams('mug')).toEqual([]);
  });

  it('that are teams let their members yank on this page, and change nothing else', async () => {
    const { records } = site.store;
    await records.createTeam({ name: 'infra', atMs: 1, actor: null });
    await records.changeMembers({ team: 'infra', action: 'add', logins: ['eve'], atMs: 1, actor: null });
    await submit('owners', { login: 'team:infra' });
    const eve = await signedIn('eve');
    expect((await eve.get('/crates/mug')).text).toContain(`<a href="${PAGE}">Settings</a>`);
    expect((await eve.get('/crates/mug/versions')).text).toContain('Yank or unyank a version');
    const { status, text } = await eve.get(PAGE);
    expect([status, text.includes('You belong to a team that owns this crate')]).toEqual([200, true]);
    for (const form of ['owners', 'publishers', 'trusted-only']) expect(text).not.toContain(`/${form}"`);
    expect((await eve.submit(PAGE, `${PAGE}/yank`, { version: '1.0.0' })).status).toBe(303);
    expect((await eve.submit(PAGE, `${PAGE}/owners`, { login: 'eve' })).status).toBe(403);
    expect((await eve.submit(PAGE, '/crates/mug/trusted-only', { only: 'yes' })).status).toBe(403);
    expect((await records.findVersion('mug', '1.0.0'))?.isYanked).toBe(true);
  });

  it('cannot be removed by a button if there is only one', async () => {
    expect((await browser.get(PAGE)).text).not.toContain(`${PAGE}/owners/remove`);
  });
});

describe('publishing', () => {
  const add = (claims: string, issuer = GITHUB): ReturnType<TestBrowser['submit']> =>
    submit('publishers', { issuer, claims }) as ReturnType<TestBrowser['submit']>;

  it('is restricted to trusted publishers and released', async () => {
    const set = (only: string): ReturnType<TestBrowser['submit']> =>
      browser.submit(PAGE, '/crates/mug/trusted-only', { only });
    expect((await set('yes')).headers.get('location')).toBe(`${PAGE}?done=trusted-only`);
    expect((await browser.get(PAGE)).text).toContain('Allow publishing with tokens');
    expect((await set('no')).headers.get('location')).toBe(`${PAGE}?done=tokens-allowed`);
    expect(await audit('change-crate')).toHaveLength(2);
  });

  it('by a trusted publisher is allowed for this crate only, in the name of the owner', async () => {
    const added = await add('repository_id=1\r\nworkflow_ref=acme/mug/*');
    expect(added.headers.get('location')).toBe(`${PAGE}?done=publisher-added`);
    const [publisher] = await site.store.records.listPublishers();
    expect(publisher).toMatchObject({ issuer: GITHUB, cratePatterns: ['mug'], user: { login: 'mira' } });
    expect(await audit('add-publisher')).toMatchObject([{ actor: 'mira', subject: 'mira' }]);
    expect((await browser.get(PAGE)).text).toContain('<code>workflow_ref=acme/mug/*</code>');
    const id = publisher?.id;
    expect((await submit(`publishers/${id}/remove`, {})).headers.get('location')).toBe(
      `${PAGE}?done=publisher-removed`,
    );
    expect(await site.store.records.listPublishers()).toEqual([]);
    expect(await audit('remove-publisher')).toHaveLength(1);
    for (const odd of [String(id), 'x', '-1', '1.5'])
      expect((await submit(`publishers/${odd}/remove`, {})).status, odd).toBe(404);
  });

  it.each([
    ['nonsense', GITHUB, '“nonsense” is not KEY=VALUE.'],
    ['', GITHUB, 'A publisher needs a claim'],
    ['aud=x', GITHUB, 'does not identify the publisher'],
    ['ref=refs/tags/v1', GITHUB, 'needs the number of the repository: “repository_id=123456”'],
    ['repository_id=1*', GITHUB, 'needs the number of the repository'],
    ['repository_id=1', 'https://gitlab.com', 'needs the number of the repository: “project_id=123456”'],
    ['repository_id=1', 'https://ci.example', 'Only an admin can add the issuer “https://ci.example”.'],
    ['repository_id=1', 'http://127.0.0.1:1', 'Only an admin can add the issuer'],
    ['repository_id=1', 'file:///etc', 'is not the address of an issuer'],
  ])('is not allowed for “%s” of %s', async (claims, issuer, message) => {
    const { status, text } = await add(claims, issuer);
    expect(status).toBe(422);
    expect(text).toContain(message);
    expect(await site.store.records.listPublishers()).toEqual([]);
  });

  it('is possible from an issuer that an admin has added, whose other publishers stay as they are', async () => {
    const context = { records: site.store.records, clock: site.context.clock };
    const shared = { issuer: 'https://ci.example', login: 'mira', actor: null };
    const claims = [{ name: 'project', value: 'mugs' }];
    const wide = await addPublisher(context, { ...shared, claims, cratePatterns: ['mu*', 'pot'] });
    await addPublisher(context, { ...shared, claims, cratePatterns: ['pot'] });
    // Eve owns no crate, so her publisher cannot publish this one.
    await addPublisher(context, {
      ...shared,
      login: 'eve',
      claims: [{ name: 'a', value: 'eves' }],
      cratePatterns: ['*'],
    });
    const { text } = await browser.get(PAGE);
    expect(text).toContain('publishes this and other crates as');
    expect(text.match(/managed by admins/g)).toHaveLength(1);
    expect(text).not.toContain('eves');
    expect(text).not.toContain('mu*');
    expect((await submit(`publishers/${wide.id}/remove`, {})).status).toBe(404);
    expect((await add('project=mug', 'https://ci.example')).status).toBe(422);
    expect((await add('project=mug\na=other', 'https://ci.example')).status).toBe(303);
  });

  it('cannot be disturbed by a publisher that matches the jobs of another user', async () => {
    await site.publish(mira, { name: 'pot', version: '1.0.0' });
    await add('repository_id=7\nref=refs/tags/*');
    const eve = await signedIn('eve');
    const user = await site.store.records.findUser('eve');
    if (user === null) throw new Error('no user');
    await site.publish(user, { name: 'trap', version: '1.0.0' });
    const addToTrap = (claims: string): ReturnType<TestBrowser['submit']> =>
      eve.submit('/crates/trap/settings', '/crates/trap/settings/publishers', { issuer: GITHUB, claims });
    for (const claims of ['repository_id=7', 'repository_id=7\nactor=x', 'repository_id=7\nref=refs/*']) {
      const { status, text } = await addToTrap(claims);
      expect(status, claims).toBe(422);
      expect(text).toContain('A publisher of another user could match the same jobs');
    }
    for (const claims of ['repository_id=8', 'repository_id=7\nref=refs/heads/main'])
      expect((await addToTrap(claims)).status, claims).toBe(303);
  });

  it('shows publishers of former owners, so that they can be removed', async () => {
    await submit('owners', { login: 'eve' });
    await (await signedIn('eve')).submit(PAGE, `${PAGE}/publishers`, {
      issuer: GITHUB,
      claims: 'repository_id=9',
    });
    const note = 'cannot publish: eve is not an owner';
    expect((await browser.get(PAGE)).text).not.toContain(note);
    await submit('owners/remove', { login: 'eve' });
    expect((await browser.get(PAGE)).text).toContain(note);
    const [publisher] = await site.store.records.listPublishers();
    expect((await submit(`publishers/${publisher?.id}/remove`, {})).status).toBe(303);
    expect((await browser.get(PAGE)).text).not.toContain(note);
  });

  it('takes the same publisher only once, in any order of its claims', async () => {
    await add('repository_id=1\nref=refs/tags/*');
    const { status, text } = await add('ref=refs/tags/*\nrepository_id=1\nrepository_id=1');
    expect([status, text.includes('This crate already has this publisher.')]).toEqual([422, true]);
    expect((await add('repository_id=1')).status).toBe(303);
    expect(await site.store.records.listPublishers()).toHaveLength(2);
  });

  it('has a limited number of publishers', async () => {
    for (let i = 0; i < 20; i += 1) expect((await add(`repository_id=${i}`)).status).toBe(303);
    const { status, text } = await add('repository_id=20');
    expect([status, text.includes('at most 20 trusted publishers')]).toEqual([422, true]);
  });
});
