import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePagesSite, PASSWORD, type PagesSite, type TestBrowser } from '../../helpers/pages-site.ts';
import { hashToken } from '../../../src/server/auth/tokens.ts';

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
    const { total } = await site.store.records.listAudit({ action: 'revoke-token' }, { limit: 9, offset: 0 });
    expect(total).toBe(1);
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

describe('the password', () => {
  it('can be changed with the current one, which ends all sessions', async () => {
    const other = site.browser();
    await other.signIn('mira');
    const fields = { old: PASSWORD, new: 'another long password' };
    expect((await browser.submit('/me', '/me/password', fields)).headers.get('location')).toBe('/sign-in');
    expect((await other.get('/me')).status).toBe(303);
    expect((await site.browser().signIn('mira')).status).toBe(422);
    expect((await site.browser().signIn('mira', fields.new)).status).toBe(303);
  });

  it('cannot be changed with a wrong current one, and guesses are limited', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { text } = await browser.submit('/me', '/me/password', {
        old: `guess ${i}`,
        new: 'another long password',
      });
      expect(text).toContain('The current password is wrong.');
    }
    const { text } = await browser.submit('/me', '/me/password', {
      old: PASSWORD,
      new: 'another long password',
    });
    expect(text).toContain('Too many failed attempts.');
  });

  it('cannot be changed to one that is too short', async () => {
    const { status, text } = await browser.submit('/me', '/me/password', { old: PASSWORD, new: 'short' });
    expect(status).toBe(422);
    expect(text).toContain('too short');
    expect(text).not.toContain(PASSWORD);
  });
});
