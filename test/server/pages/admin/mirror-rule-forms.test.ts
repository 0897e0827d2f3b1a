import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_GATES } from '../../../helpers/mirror.ts';
import { makeMirrorSite, type MirrorSite } from '../../../helpers/mirror-site.ts';
import { makePagesSite, type TestBrowser, type TestPage } from '../../../helpers/pages-site.ts';

const PATH = '/admin/mirror';
const ALL = { limit: 2000, offset: 0 };

let site: MirrorSite;
let admin: TestBrowser;

beforeEach(async () => {
  site = await makeMirrorSite({ gates: { ...NO_GATES, blocked: ['evil'], allowed: ['tokio', 'log@0.4.0'] } });
  const owner = await site.addUser('root', { isAdmin: true });
  await site.publish(owner, { name: 'tide-pool', version: '1.0.0' });
  admin = site.browser();
  await admin.signIn('root');
});
afterEach(() => site[Symbol.asyncDispose]());

function send(path: string, fields: Readonly<Record<string, string>>): Promise<TestPage> {
  return admin.submit(PATH, `${PATH}/${path}`, fields);
}

/** Sends a form that must be accepted. Returns the text of the page to which it leads, as `wordsOf`. */
async function change(path: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const { status, headers } = await send(path, fields);
  expect(status).toBe(303);
  return wordsOf((await admin.get(headers.get('location') ?? '')).text);
}

/** Returns the text of the main part of a page, without tags, on one line. */
function wordsOf(page: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? '';
  return main.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

async function rules(kind: 'block' | 'allow'): Promise<readonly string[]> {
  const { items } = await site.store.records.listUpstreamRules(kind, ALL);
  return items.map(({ name, version, reason }) => `${name} ${version} ${reason}`);
}

async function trail(): Promise<readonly string[]> {
  const { items } = await site.store.records.listAudit({}, ALL);
  const entries = items.filter(({ action }) => /upstream|own-name/.test(action));
  return entries.map(({ actor, action, crate, version }) => `${actor} ${action} ${crate} ${version}`);
}

describe('the forms of rules', () => {
  it('block and unblock a crate or a version, with entries in the audit trail', async () => {
    const words = await change('block', { name: ' Foo-bar ', version: ' 1.0.0+x ', reason: 'breaks <b>' });
    expect(words).toContain('Blocked. Clients can no longer download it from this registry.');
    expect(words).toContain('Foo-bar@1.0.0 breaks &lt;b&gt; just now Unblock Foo-bar@1.0.0');
    expect(words).toContain('Blocked 2 rules');
    await change('block', { name: 'foo-bar', version: '', reason: '' });
    expect(await rules('block')).toEqual(['foo-bar null null', 'Foo-bar 1.0.0 breaks <b>']);
    expect(await change('unblock', { name: 'foo-bar', version: '' })).toContain('Unblocked.');
    expect(await rules('block')).toEqual(['Foo-bar 1.0.0 breaks <b>']);
    expect(await trail()).toEqual([
      'root unblock-upstream foo-bar null',
      'root block-upstream foo-bar null',
      'root block-upstream Foo-bar 1.0.0',
    ]);
    expect((await admin.get('/admin/audit')).text).toContain('blocked all versions of foo-bar');
  });

  it('allow a crate or a version, and remove the exception', async () => {
    const words = await change('allow', { name: 'serde', version: '1.0.200', reason: 'checked' });
    expect(words).toContain('Allowed. The other rules no longer apply to it.');
    expect(words).toContain('serde@1.0.200 checked just now Remove serde@1.0.200');
    expect(await change('disallow', { name: 'SERDE', version: '1.0.200' })).toContain('Exception removed.');
    expect(await rules('allow')).toEqual([]);
    expect(await trail()).toEqual([
      'root disallow-upstream SERDE 1.0.200',
      'root allow-upstream serde 1.0.200',
    ]);
  });

  it('take a name and a version from one field, as the messages for clients have them', async () => {
    await change('allow', { name: 'serde@1.0.200', version: '' });
    expect(await rules('allow')).toEqual(['serde 1.0.200 null']);
  });

  it('say that a blocked crate is allowed too, and mark it in the list', async () => {
    const words = await change('block', { name: 'LOG', version: '0.4.0' });
    expect(words).toContain('Saved, but without effect: the same crate or version is allowed');
    expect(words).toContain('LOG@0.4.0 no effect: allowed below just now');
    expect(await change('block', { name: 'log' })).toContain('Blocked. Clients can no longer');
    expect(await change('allow', { name: 'log' })).toContain('log no effect: allowed below just now');
  });

  it('say that another rule remains in effect after a removal', async () => {
    await change('block', { name: 'evil' });
    const stillBlocked = 'Rule removed. But another rule still blocks the same crate or version.';
    expect(await change('unblock', { name: 'evil' })).toContain(stillBlocked);
    await change('block', { name: 'foo', version: '1.0.0' });
    await change('block', { name: 'foo' });
    expect(await change('unblock', { name: 'foo', version: '1.0.0' })).toContain(stillBlocked);
    await change('block', { name: 'foo', version: '1.0.0' });
    expect(await change('unblock', { name: 'foo' })).toContain('Unblocked.');
    await change('allow', { name: 'log', version: '0.4.0' });
    expect(await change('disallow', { name: 'log', version: '0.4.0' })).toContain(
      'Exception removed. But another one still allows the same crate or version.',
    );
    await change('block', { name: 'tokio' });
    expect(await change('unblock', { name: 'tokio' })).toContain('Unblocked.');
  });

  it('show the rules of flags first, without a button', async () => {
    await change('block', { name: 'abc' });
    const words = wordsOf((await admin.get(PATH)).text);
    expect(words).toContain('evil given at the start: --block abc just now Unblock abc Block a crate');
    expect(words).toContain(
      'tokio given at the start: --allow log@0.4.0 given at the start: --allow Allow a',
    );
    expect(await change('unblock', { name: 'evil' })).toContain('Nothing changed: somebody has already');
    expect(await site.upstream.cache.originOf('evil')).toBe('blocked');
  });

  it.each([
    ['block', { name: '' }, 'Enter the name of a crate.'],
    ['allow', { name: ' \t ', version: '1.0.0' }, 'Enter the name of a crate.'],
    ['block', { name: 'a b' }, '“a b” is not the name of a crate.'],
    ['block', { name: '"><img src=x>' }, '“&quot;&gt;&lt;img src=x&gt;” is not the name of a crate.'],
    ['block', { name: 'foo-*' }, '“foo-*” is not the name of a crate.'],
    ['allow', { name: 'é' }, '“é” is not the name of a crate.'],
    ['block', { name: 'foo@1.0.0', version: '2.0.0' }, '“foo@1.0.0” is not the name of a crate.'],
    ['block', { name: 'foo@' }, '“foo@” is not the name of a crate.'],
    ['block', { name: 'x'.repeat(65) }, `“${'x'.repeat(65)}” is not the name of a crate.`],
    ['block', { name: 'y'.repeat(50_000) }, `“${'y'.repeat(100)}…” is not the name of a crate.`],
    ['block', { name: 'foo', version: '1.0' }, '“1.0” is not a version.'],
    ['allow', { name: 'foo', version: '^1.0.0' }, '“^1.0.0” is not a version.'],
    ['allow', { name: 'foo@*' }, '“*” is not a version.'],
    ['block', { name: 'foo', version: `1.0.0-${'a'.repeat(200)}` }, 'is not a version.'],
    ['block', { name: 'foo', reason: 'r'.repeat(501) }, 'The reason is too long: at most 500 characters.'],
    ['block', { name: 'Tide_pool' }, 'The name Tide_pool belongs to this registry.'],
    ['reserve', { name: '' }, 'Enter a name, or the beginning of names and “*”.'],
    ['reserve', { name: '*' }, '“*” would hide all crates of the upstream.'],
    ['reserve', { name: 'a*b' }, '“a*b” is neither the name of a crate nor a pattern'],
    ['reserve', { name: 'z'.repeat(66) }, 'is neither the name of a crate nor a pattern'],
    ['reserve', { name: 'acme', reason: 'r'.repeat(501) }, 'The reason is too long'],
  ])('of %s with %j are refused with one message at the field', async (path, fields, message) => {
    const { status, text } = await send(path, { ...fields });
    expect(status).toBe(422);
    expect(text.match(/class="problem"/g)).toHaveLength(1);
    expect(text).toMatch(/aria-invalid="true" autofocus/);
    expect(text).toContain('Nothing was saved: see below.');
    expect(/<p class="problem"[^>]*>([^<]*)/.exec(text)?.[1]).toContain(message);
    expect([await rules('block'), await rules('allow'), await trail()]).toEqual([[], [], []]);
    expect(await site.store.records.listReservedNames()).toEqual([]);
  });

  it('keep what the user typed in a refused form, and only there', async () => {
    const { text } = await send('allow', { name: 'serde', version: '1.x', reason: 'a "b"' });
    expect(text).toContain('id="allowed-version" type="text" name="version" value="1.x"');
    expect(text).toContain('id="allowed-reason" type="text" name="reason" value="a &quot;b&quot;"');
    expect(text).toContain('id="blocked-name" type="text" name="name" value=""');
  });

  it('say that another spelling of a rule is there', async () => {
    await change('block', { name: 'foo_bar', version: '1.0.0' });
    const { status, text } = await send('block', { name: 'Foo-Bar', version: '1.0.0+build' });
    expect([status, wordsOf(text)]).toEqual([
      422,
      expect.stringContaining('Foo-Bar 1.0.0 is already blocked.'),
    ]);
    expect(await rules('block')).toEqual(['foo_bar 1.0.0 null']);
  });

  it('replace control characters, which not every database can store', async () => {
    await change('block', { name: 'foo', reason: 'one\u0000two\r\nthree' });
    expect(await rules('block')).toEqual(['foo null one two three']);
  });

  it('are shown in parts, and a removal leads back to its part', async () => {
    const { records } = site.store;
    const by = { login: 'root', atMs: site.nowMs };
    for (let at = 0; at < 220; at += 1) {
      const name = `crate-${String(at).padStart(4, '0')}`;
      await records.addUpstreamRule({ kind: 'block', name, version: null, reason: null }, by);
    }
    const first = wordsOf((await admin.get(PATH)).text);
    expect(first).toContain('Blocked 221 rules');
    expect(first).toContain('crate-0098 just now Unblock crate-0098 Page 1 of 3 Next');
    const second = await admin.get(`${PATH}?blocked=2`);
    expect(second.text).toContain(`action="${PATH}/unblock?blocked=2"`);
    expect(wordsOf(second.text)).toContain(
      'crate-0198 just now Unblock crate-0198 Previous Page 2 of 3 Next',
    );
    const { headers } = await admin.submit(PATH, `${PATH}/unblock?blocked=2`, { name: 'crate-0160' });
    expect(headers.get('location')).toBe(`${PATH}?done=unblock&blocked=2`);
    expect(wordsOf((await admin.get(`${PATH}?blocked=99`)).text)).toContain('crate-0219 just now');
  });
});

describe('the forms of reserved names', () => {
  it('reserve and release names, with entries in the audit trail', async () => {
    const words = await change('reserve', { name: 'Acme-*', reason: 'ours' });
    expect(words).toContain('Name reserved. Crates with this name no longer come from the upstream.');
    expect(words).toContain('acme_* ours just now Release acme_*');
    expect(await site.store.records.isLocalName('acme-x')).toBe(true);
    const again = await send('reserve', { name: 'ACME_*' });
    expect([again.status, wordsOf(again.text)]).toEqual([
      422,
      expect.stringContaining('ACME_* is already reserved.'),
    ]);
    expect(wordsOf((await send('block', { name: 'acme-x' })).text)).toContain(
      'The name acme-x belongs to this registry. Rules are only for crates of the upstream.',
    );
    expect(await change('release', { name: 'acme_*' })).toContain('Name released.');
    expect(await change('release', { name: 'acme_*' })).toContain('Nothing changed: somebody has already');
    expect(await site.store.records.isLocalName('acme-x')).toBe(false);
    expect(await trail()).toEqual(['root remove-own-name acme_* null', 'root add-own-name acme_* null']);
  });

  it('say that a released name still belongs to this registry', async () => {
    for (const name of ['acme-*', 'acme-x', 'acme-x-*', 'tide-pool']) await change('reserve', { name });
    const stillReserved = 'Reservation removed. But this registry still has the name';
    for (const name of ['acme-x', 'acme-x-*', 'tide-pool'])
      expect(await change('release', { name })).toContain(stillReserved);
    expect(await change('release', { name: 'acme-*' })).toContain('Name released.');
  });
});

describe('the forms', () => {
  const FORMS = ['block', 'unblock', 'allow', 'disallow', 'reserve', 'release'];

  it.each(FORMS)('of %s are only for admins, and only from this site', async (path) => {
    const { records } = site.store;
    const by = { login: 'root', atMs: site.nowMs };
    for (const kind of ['block', 'allow'] as const)
      await records.addUpstreamRule({ kind, name: 'foo', version: null, reason: null }, by);
    await records.addReservedName({ pattern: 'foo', reason: null, atMs: 1 });
    const before = [await rules('block'), await rules('allow'), await records.listReservedNames()];
    await site.addUser('mira');
    const mira = site.browser();
    await mira.signIn('mira');
    expect((await mira.submit('/me', `${PATH}/${path}`, { name: 'foo' })).status).toBe(403);
    const nobody = await site.browser().post(`${PATH}/${path}`, { name: 'foo' });
    expect([nobody.status, nobody.headers.get('location')]).toEqual([303, '/sign-in']);
    expect((await admin.post(`${PATH}/${path}`, { name: 'foo' })).status).toBe(403);
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await admin.post(`${PATH}/${path}`, { name: 'foo' }, elsewhere)).status).toBe(403);
    expect([await rules('block'), await rules('allow'), await records.listReservedNames()]).toEqual(before);
  });

  it('are missing without an upstream', async () => {
    await using other = await makePagesSite();
    await other.addUser('root', { isAdmin: true });
    const browser = other.browser();
    await browser.signIn('root');
    const { text } = await browser.get(PATH);
    expect(text).toContain('No upstream');
    expect(text).not.toContain(`action="${PATH}`);
    expect((await browser.submit(PATH, `${PATH}/block`, { name: '' })).status).toBe(422);
  });
});
