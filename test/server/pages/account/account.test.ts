import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePagesSite, PASSWORD, type PagesSite, type TestBrowser } from '../../../helpers/pages-site.ts';
import { hashToken, makeSecret } from '../../../../src/server/auth/tokens.ts';

let site: PagesSite;
let browser: TestBrowser;

beforeEach(async () => {
  site = await makePagesSite();
  await site.publish(await site.addUser('mira'), { name: 'own-crate', version: '1.0.0' });
  browser = site.browser();
  await browser.signIn('mira');
});

afterEach(async () => site[Symbol.asyncDispose]());

const SCOPES = ['read', 'publish-new', 'publish-update', 'yank', 'owners'];

function tokenFields(more: Record<string, string> = {}, scopes: readonly string[] = SCOPES): URLSearchParams {
  const fields = new URLSearchParams({ name: 'ci', patterns: '', days: '90', ...more });
  for (const scope of scopes) fields.append('scope', scope);
  return fields;
}

describe('tokens', () => {
  it('are created and shown only once: “Users obtain a token by visiting the registry’s website (the /me location)”', async () => {
    const made = await browser.submit(
      '/me',
      '/me/tokens',
      tokenFields({ patterns: ' own-* ,other_1' }, ['yank', 'read']),
    );
    expect(made.status).toBe(200);
    expect(made.headers.get('cache-control')).toBe('private, no-store');
    const secret = /<code id="token"[^>]*>(tsreg_[\w-]+)<\/code>/.exec(made.text)?.[1] ?? '';
    const found = await site.store.records.findTokenByHash(hashToken(secret));
    expect(found?.user.login).toBe('mira');
    expect(found?.token).toMatchObject({
      name: 'ci',
      scopes: ['read', 'yank'],
      cratePatterns: ['own-*', 'other_1'],
      expiresAtMs: site.nowMs + 90 * 24 * 60 * 60 * 1000,
    });
    const { text } = await browser.get('/me');
    expect(text).not.toContain(secret);
    expect(text).toContain(secret.slice(0, 10));
    expect(text).toContain('own-crate');
    const { items } = await site.store.records.listAudit({ action: 'make-token' }, { limit: 9, offset: 0 });
    expect(items).toHaveLength(1);
    expect(JSON.stringify([items, site.logged])).not.toContain(secret);
  });

  it('can have no expiry', async () => {
    await browser.submit('/me', '/me/tokens', tokenFields({ days: '' }));
    expect((await browser.get('/me')).text).toContain('<td data-label="Expires">never</td>');
  });

  it.each([
    [{ name: ' ' }, SCOPES, 'The token needs a name.'],
    [{ name: 'x'.repeat(101) }, SCOPES, 'The name is too long'],
    [{}, [], 'Select at least one permission.'],
    [{}, ['everything'], 'Select at least one permission.'],
    [{ patterns: 'a*b' }, SCOPES, '“a*b” is neither'],
    [{ patterns: '<b>' }, SCOPES, '“&lt;b&gt;” is neither'],
    [{ days: '100000' }, SCOPES, 'Choose an expiry time from the list.'],
    [{ days: '-1' }, SCOPES, 'Choose an expiry time from the list.'],
  ])('are not created with %j and the scopes %j', async (more, scopes, words) => {
    const { status, text } = await browser.submit('/me', '/me/tokens', tokenFields(more, scopes));
    expect(status).toBe(422);
    expect(text).toContain(words);
    expect(await site.store.records.listTokens(1)).toEqual([]);
  });

  it('keep their entered values in the form after an error', async () => {
    const { text } = await browser.submit(
      '/me',
      '/me/tokens',
      tokenFields({ name: 'my "ci"', patterns: '?', days: '7' }, ['yank']),
    );
    expect(text).toContain('value="my &quot;ci&quot;"');
    expect(text).toContain('value="yank" checked');
    expect(text).not.toContain('value="read" checked');
    expect(text).toContain('<option value="7" selected>');
  });

  it('can be revoked only by their user', async () => {
    await browser.submit('/me', '/me/tokens', tokenFields());
    const [token] = await site.store.records.listTokens(1);
    await site.addUser('eve');
    const eve = site.browser();
    await eve.signIn('eve');
    await eve.submit('/me', `/me/tokens/${token?.id}/revoke`, {});
    expect((await site.store.records.listTokens(1))[0]?.revokedAtMs).toBeNull();
    const revoked = await browser.submit('/me', `/me/tokens/${token?.id}/revoke`, {});
    expect(revoked.headers.get('location')).toBe('/me?done=revoked');
    expect((await site.store.records.listTokens(1))[0]?.revokedAtMs).toBe(site.nowMs);
    const { text } = await browser.get('/me?done=revoked');
    expect(text).toContain('Token revoked.');
    expect(text).toContain('badge bad">revoked');
    expect(text).not.toContain('Revoke<');
    const { items } = await site.store.records.listAudit({ action: 'revoke-token' }, { limit: 9, offset: 0 });
    expect(items).toMatchObject([{ actor: 'mira', subject: 'mira', tokenId: token?.id, detail: 'ci' }]);
    for (const odd of ['x', '1.5', '99999999999999999999', '-1', '%00']) {
      const { status } = await browser.submit('/me', `/me/tokens/${odd}/revoke`, {});
      expect([303, 404], odd).toContain(status);
    }
  });

  it('are marked once they have expired', async () => {
    await browser.submit('/me', '/me/tokens', tokenFields({ days: '7' }));
    site.nowMs += 8 * 24 * 60 * 60 * 1000;
    expect((await browser.get('/me')).text).toContain('badge mark">expired');
  });
});

/** Returns the part of a page between the element with this ID and the end of its form. */
function fieldIn(page: string, id: string): string {
  return page.slice(page.indexOf(`id="${id}"`)).split('</form>')[0] ?? '';
}

describe('the form for a token', () => {
  it('has no permission selected at first', async () => {
    const { text } = await browser.get('/me');
    expect(text.match(/type="checkbox"/g)).toHaveLength(SCOPES.length);
    expect(text).not.toContain(' checked');
  });

  it.each([
    [{}, [], 'token-scopes', 'Select at least one permission.'],
    [{ name: '' }, SCOPES, 'token-name', 'The token needs a name.'],
    [{ patterns: '?' }, SCOPES, 'token-patterns', '“?” is neither'],
    [{ days: '0' }, SCOPES, 'token-days', 'Choose an expiry time'],
  ])(
    'shows the problem with %j and the scopes %j at its field, which gets the focus',
    async (more, scopes, id, words) => {
      const { text } = await browser.submit('/me', '/me/tokens', tokenFields(more, scopes));
      expect(text.match(/ autofocus/g)).toHaveLength(1);
      const problem = fieldIn(text, id);
      expect(problem).toMatch(
        new RegExp(`^[^>]*aria-describedby="${id}-problem[^>]* aria-invalid="true" autofocus`),
      );
      expect(problem).toContain(`<p class="problem" id="${id}-problem">${words}`);
    },
  );
});

describe('long lists', () => {
  it('of tokens are shown newest first in pages, and stay at their page when a token is revoked', async () => {
    for (let i = 1; i <= 51; i += 1) {
      const { hash, prefix } = makeSecret();
      await site.store.records.createToken({
        ...{ userId: 1, name: `t${i}`, hash, prefix, scopes: ['read'], cratePatterns: [] },
        ...{ createdAtMs: site.nowMs, expiresAtMs: null },
      });
    }
    const first = (await browser.get('/me')).text;
    expect(first).toContain('51 tokens, the newest first.');
    expect(first).toContain('<strong>t51</strong>');
    expect(first).not.toContain('<strong>t1</strong>');
    expect(first).toContain('href="/me?tokens=2#tokens">Next</a>');
    const second = (await browser.get('/me?tokens=2')).text;
    expect(second.match(/<strong>t\d+<\/strong>/g)).toEqual(['<strong>t1</strong>']);
    const [action = ''] = /\/me\/tokens\/\d+\/revoke\?tokens=2/.exec(second) ?? [];
    const revoked = await browser.submit('/me?tokens=2', action, {});
    expect(revoked.headers.get('location')).toBe('/me?done=revoked&tokens=2');
  });

  it('of crates have pages of their own', async () => {
    const mira = await site.store.records.findUser('mira');
    if (mira === null) throw new Error('no user');
    for (let i = 10; i < 60; i += 1) await site.publish(mira, { name: `more-${i}`, version: '1.0.0' });
    const first = (await browser.get('/me')).text;
    expect(first).toContain('>more-58</a>');
    expect(first).not.toContain('>own-crate</a>');
    expect(first).toContain('href="/me?crates=2#crates">Next</a>');
    expect((await browser.get('/me?crates=2')).text).toContain('>own-crate</a>');
    expect((await browser.get('/me?crates=99&tokens=x')).text).toContain('>own-crate</a>');
  });
});

const NEW = 'another long password';

function passwordFields(more: Record<string, string> = {}): Record<string, string> {
  return { old: PASSWORD, new: NEW, again: NEW, ...more };
}

describe('the password', () => {
  it('can be changed with the current one, which ends all other sessions', async () => {
    const other = site.browser();
    await other.signIn('mira');
    const copied = site.browser();
    for (const [name, value] of browser.cookies) copied.cookies.set(name, value);
    const changed = await browser.submit('/me', '/me/password', passwordFields());
    expect(changed.headers.get('location')).toBe('/me?done=password');
    const { status, text } = await browser.get('/me?done=password');
    expect([status, text.includes('Password changed. You were signed out everywhere else.')]).toEqual([
      200,
      true,
    ]);
    for (const ended of [other, copied]) expect((await ended.get('/me')).status).toBe(303);
    expect((await site.browser().signIn('mira')).status).toBe(422);
    expect((await site.browser().signIn('mira', NEW)).status).toBe(303);
    const { items } = await site.store.records.listAudit({ action: 'change-user' }, { limit: 9, offset: 0 });
    expect(items).toMatchObject([{ actor: 'mira', subject: 'mira', detail: 'password' }]);
  });

  it('cannot be changed with a wrong current one, and guesses are limited as those of a sign-in', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { status, text } = await browser.submit(
        '/me',
        '/me/password',
        passwordFields({ old: `guess ${i}` }),
      );
      expect(status).toBe(422);
      expect(fieldIn(text, 'password-old')).toContain(
        '<p class="problem" id="password-old-problem">The current password is wrong.</p>',
      );
    }
    const { status, text, headers } = await browser.submit('/me', '/me/password', passwordFields());
    expect([status, headers.get('retry-after')]).toEqual([429, '900']);
    expect(text).toContain('Too many failed attempts.');
    const refused = site.logged.filter(({ event }) => event.startsWith('sign-in-'));
    expect(refused.map(({ event }) => event)).toEqual([
      ...Array<string>(5).fill('sign-in-refused'),
      'sign-in-throttled',
    ]);
  });

  it.each([
    [{ new: 'short', again: 'short' }, 'password-new', 'The password is too short'],
    [{ again: 'another long passwort' }, 'password-again', 'The two new passwords differ.'],
    [{ again: '' }, 'password-again', 'The two new passwords differ.'],
  ])('cannot be changed with %j, which costs no attempt', async (more, id, words) => {
    for (let i = 0; i < 6; i += 1) {
      const { status, text } = await browser.submit('/me', '/me/password', passwordFields(more));
      expect(status).toBe(422);
      expect(fieldIn(text, id)).toContain(words);
      for (const secret of [PASSWORD, ...Object.values(more).filter((value) => value !== '')]) {
        expect(text).not.toContain(`value="${secret}"`);
      }
    }
    expect((await browser.submit('/me', '/me/password', passwordFields())).status).toBe(303);
  });

  it('cannot be set by a user who has none', async () => {
    const mira = await site.store.records.findUser('mira');
    await site.store.records.updateUser(mira?.id ?? 0, { passwordHash: null });
    expect((await browser.submit('/me', '/me/password', passwordFields())).status).toBe(303);
    expect(await site.store.records.findPasswordHash(mira?.id ?? 0)).toBeNull();
  });
});
