import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS, type AuditAction, type NewAuditEntry } from '../../../../src/server/store/values.ts';
import { makePagesSite, type PagesSite, type TestBrowser } from '../../../helpers/pages-site.ts';

let site: PagesSite;
let admin: TestBrowser;

beforeEach(async () => {
  site = await makePagesSite();
  await site.addUser('root', { isAdmin: true });
  const mira = await site.addUser('Mira');
  for (const version of ['1.0.0', '1.1.0']) await site.publish(mira, { name: 'tide-pool', version });
  admin = site.browser();
  await admin.signIn('root');
});

afterEach(async () => site[Symbol.asyncDispose]());

const add = (entry: Partial<NewAuditEntry> & { readonly action: AuditAction }): Promise<void> =>
  site.store.records.addAudit({ atMs: site.nowMs, actor: 'root', ...entry });

/** Returns the texts of the column “What”. */
async function sentences(query: string): Promise<readonly string[]> {
  const { text } = await admin.get(`/admin/audit?${query}`);
  const cells = text.matchAll(/<td data-label="What" class="name">(.*?)<\/td>/gs);
  return Array.from(cells, ([, cell = '']) => cell.replaceAll(/<[^>]+>/g, ''));
}

const PUBLISHED = ['published tide-pool 1.1.0', 'published tide-pool 1.0.0'];

describe('the audit trail', () => {
  it.each([
    ['', ['signed in', ...PUBLISHED]],
    ['crate=tide-pool', PUBLISHED],
    ['crate=Tide_Pool', PUBLISHED],
    ['crate=nope', []],
    ['actor=mira', PUBLISHED],
    ['actor=root', ['signed in']],
    ['action=publish', PUBLISHED],
    ['action=publish&actor=root', []],
    ['action=publish&crate=tide-pool&actor=mira', PUBLISHED],
    ['action=%3Cscript%3E', ['signed in', ...PUBLISHED]],
    ['crate=%22%3E%3Cscript%3E', []],
    ['from=2026-03-14&to=2026-03-14', ['signed in', ...PUBLISHED]],
    ['from=2026-03-15', []],
    ['to=2026-03-13', []],
    ['older=0', []],
    ['older=x&newer=-1', ['signed in', ...PUBLISHED]],
  ])('shows the entries for “%s”', async (query, expected) => {
    expect(await sentences(query)).toEqual(expected);
    const { status, text } = await admin.get(`/admin/audit?${query}`);
    expect(status).toBe(200);
    expect(text.match(/<script/g)).toHaveLength(1);
  });

  it('describes every action in words, with links to users and crates', async () => {
    const all = { crate: 'tide-pool', version: '1.0.0', subject: 'Mira', tokenId: 7 };
    for (const action of AUDIT_ACTIONS) await add({ action, ...all });
    expect((await sentences('')).slice(0, AUDIT_ACTIONS.length).reverse()).toEqual([
      'published tide-pool 1.0.0',
      'yanked tide-pool 1.0.0',
      'unyanked tide-pool 1.0.0',
      'made Mira an owner of tide-pool',
      'removed Mira from the owners of tide-pool',
      'deleted tide-pool 1.0.0',
      'deleted the crate tide-pool',
      'created the user Mira',
      'changed the user Mira',
      'created Mira',
      'deleted the team Mira',
      'added Mira to a team',
      'removed Mira from a team',
      'created token 7 of Mira',
      'revoked token 7 of Mira',
      'added a trusted publisher of Mira',
      'removed a trusted publisher of Mira',
      'reserved the name tide-pool',
      'released the name tide-pool',
      'changed the settings of tide-pool',
      'uploaded the documentation of tide-pool 1.0.0',
      'removed the documentation of tide-pool 1.0.0',
      'changed the settings of the website',
      'blocked tide-pool 1.0.0',
      'unblocked tide-pool 1.0.0',
      'allowed tide-pool 1.0.0, whatever the other rules say',
      'removed the exception for tide-pool 1.0.0',
      'signed in',
      'signed out',
    ]);
    const own = { actor: 'Mira', subject: 'Mira', tokenId: 8 };
    for (const action of ['change-user', 'make-token', 'revoke-token'] as const)
      await add({ action, ...own });
    expect((await sentences('')).slice(0, 3)).toEqual([
      ...['revoked token 8', 'created token 8', 'changed their own account'],
    ]);
    const { text } = await admin.get('/admin/audit?action=add-owner');
    expect(text).toContain(
      'made <a href="/admin/users/Mira">Mira</a> an owner of <a href="/crates/tide-pool">',
    );
    expect(text).toContain('<span class="quiet small">token 7</span>');
    expect((await admin.get('/admin/audit?action=revoke-token')).text).not.toContain('small">token 7</span>');
  });

  it('describes entries without names, and shows hostile texts as texts', async () => {
    await add({ action: 'yank', actor: null, detail: '<script>alert(1)</script>' });
    await add({ action: 'add-owner', actor: '<b>', crate: '"><img src=x>', subject: null });
    expect((await sentences('')).slice(0, 2)).toEqual([
      'made a user an owner of &quot;&gt;&lt;img src=x&gt;',
      'yanked a crate',
    ]);
    const { text } = await admin.get('/admin/audit');
    expect(text).toContain('command line');
    expect(text).not.toMatch(/<img src=x|<b>|<script>alert/);
  });

  it('has pages of 50 entries, with links to newer and older ones that keep the filter', async () => {
    for (let i = 1; i <= 110; i += 1) await add({ action: 'sign-in', detail: `entry ${i}` });
    const linkIn = (text: string, label: string): string =>
      new RegExp(`href="([^"]+)">${label}</a>`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const first = await admin.get('/admin/audit?action=sign-in');
    expect(first.text).toContain('>entry 61<');
    expect(first.text).not.toMatch(/>entry 60<|>Newer</);
    const second = await admin.get(linkIn(first.text, 'Older'));
    expect(second.text).toMatch(/>entry 60<[^]*>entry 11</);
    const third = await admin.get(linkIn(second.text, 'Older'));
    expect(third.text).toMatch(/>entry 10<[^]*>entry 1</);
    expect(third.text).not.toContain('>Older<');
    expect(linkIn(third.text, 'Newer')).toMatch(/^\/admin\/audit\?action=sign-in&newer=\d+$/);
    const back = await admin.get(linkIn(third.text, 'Newer'));
    expect(back.text).toMatch(/>entry 60<[^]*>entry 11</);
    await add({ action: 'sign-in', detail: 'entry 111' });
    const almost = await admin.get(linkIn(back.text, 'Newer'));
    expect(almost.text).toMatch(/>entry 110<[^]*>entry 61</);
    // The newest page is full, although only one entry is newer.
    const newest = await admin.get(linkIn(almost.text, 'Newer'));
    expect(newest.text).toMatch(/>entry 111<[^]*>entry 62</);
    expect(newest.text).not.toMatch(/>entry 61<|>Newer</);
  });

  it.each([
    ['from=2026-02-30', 'from', '“2026-02-30” is not a day such as 2026-03-14.'],
    ['to=yesterday', 'to', '“yesterday” is not a day'],
    ['from=%3Cb%3E', 'from', '“&lt;b&gt;” is not a day'],
    ['from=2026-03-14&to=2026-03-13', 'to', 'The last day is before the first one.'],
  ])('shows no entries for %s, but the problem with the day', async (query, field, words) => {
    const { status, text } = await admin.get(`/admin/audit?${query}`);
    expect(status).toBe(422);
    expect(text).toContain(`<p class="problem" id="${field}-problem">${words}`);
    expect(await sentences(query)).toEqual([]);
  });
});
