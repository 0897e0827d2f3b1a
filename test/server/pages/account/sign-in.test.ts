import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignInThrottle } from '../../../../src/server/pages/services/sign-in-throttle.ts';
import { makePagesSite, PASSWORD, proofIn, SITE_URL, type PagesSite } from '../../../helpers/pages-site.ts';

let site: PagesSite;

beforeAll(async () => {
  site = await makePagesSite();
  await site.addUser('mira', { name: 'Mira Okafor' });
  await site.addUser('gone');
});

afterAll(async () => site[Symbol.asyncDispose]());

describe('signing in', () => {
  it('is required for a private page and redirects to the requested page', async () => {
    const browser = site.browser();
    const wanted = await browser.get('/me');
    expect(wanted.status).toBe(303);
    expect(wanted.headers.get('location')).toBe('/sign-in?return=%2Fme');
    const signedIn = await browser.submit('/sign-in?return=%2Fadmin%3Fx%3D1', '/sign-in', {
      login: 'MIRA',
      password: PASSWORD,
      return: '/admin?x=1',
    });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get('location')).toBe('/admin?x=1');
    const own = await browser.get('/me');
    expect(own.status).toBe(200);
    expect(own.text).toContain('Mira Okafor');
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    const { items } = await site.store.records.listAudit({ actor: 'mira' }, { limit: 1, offset: 0 });
    expect(items[0]).toMatchObject({ action: 'sign-in', actor: 'mira', tokenId: null });
  });

  it('keeps the requested page in the sign-in link of its own page', async () => {
    const browser = site.browser();
    const ownLink = (text: string): string | undefined => /href="(\/sign-in[^"]*)"/.exec(text)?.[1];
    for (const address of ['/sign-in?return=%2Fadmin%3Fx%3D1', '/sign-in?return=%2Fme'])
      expect(ownLink((await browser.get(address)).text)).toBe(address);
    expect(ownLink((await browser.get('/sign-in')).text)).toBe('/sign-in?return=%2Fme');
    const refused = await browser.submit('/sign-in', '/sign-in', {
      ...{ login: 'mira', password: 'wrong', return: '/admin' },
    });
    expect(ownLink(refused.text)).toBe('/sign-in?return=%2Fadmin');
  });

  it('fails alike for a wrong password, an unknown login and a disabled user', async () => {
    const gone = await site.store.records.findUser('gone');
    await site.store.records.updateUser(gone?.id ?? 0, { isDisabled: true });
    for (const [login, password] of [
      ['mira', 'wrong password'],
      ['nobody', PASSWORD],
      ['gone', PASSWORD],
    ] as const) {
      const { status, text, headers } = await site.browser().signIn(login, password);
      expect(status, login).toBe(422);
      expect(text, login).toContain('Wrong login or password.');
      expect(text, login).not.toContain(password);
      expect(headers.getSetCookie().join(), login).not.toContain('session');
    }
  });

  it('creates a session that ends permanently if the user is disabled', async () => {
    const user = await site.addUser('leaver');
    const browser = site.browser();
    await browser.signIn('leaver');
    expect((await browser.get('/me')).status).toBe(200);
    await site.store.records.updateUser(user.id, { isDisabled: true });
    expect((await browser.get('/me')).status).toBe(303);
    await site.store.records.updateUser(user.id, { isDisabled: false });
    expect((await browser.get('/me')).status).toBe(303);
  });

  it('sets a cookie that is hidden from scripts and other sites, and is `Secure` with HTTPS', async () => {
    const browser = site.browser();
    const { headers } = await browser.signIn('mira');
    const cookie = headers.getSetCookie().find((line) => /tsreg-session=\S{40}/.test(line));
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Lax(;|$)/);
    expect(cookie).not.toMatch(/Secure/);
    await using secured = await makePagesSite({ baseUrl: 'https://crates.example' });
    await secured.addUser('mira');
    const over = await secured.browser().signIn('mira');
    expect(over.status).toBe(303);
    expect(over.headers.getSetCookie().join('\n')).toMatch(/__Host-tsreg-session=\S{40,}; .*Path=\/.*Secure/);
  });

  it('creates a new session each time and ends the previous one', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const first = browser.cookies.get('tsreg-session') ?? '';
    await browser.get('/me');
    const page = await browser.get('/me');
    // The sign-in page redirects a user who is signed in, but its form can still be sent.
    await browser.post('/sign-in', { csrf: proofIn(page.text), login: 'mira', password: PASSWORD });
    expect(browser.cookies.get('tsreg-session')).not.toBe(first);
    const thief = site.browser();
    thief.cookies.set('tsreg-session', first);
    expect((await thief.get('/me')).status).toBe(303);
  });

  it('lasts two weeks', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const before = site.nowMs;
    site.nowMs += 14 * 24 * 60 * 60 * 1000 - 1;
    expect((await browser.get('/me')).status).toBe(200);
    site.nowMs += 1;
    expect((await browser.get('/me')).status).toBe(303);
    site.nowMs = before;
  });

  it('is undone by signing out, even for copies of the cookie', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const copy = site.browser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await copy.get('/me')).status).toBe(200);
    const out = await browser.submit('/me', '/sign-out', {});
    expect(out.status).toBe(303);
    expect(browser.cookies.has('tsreg-session')).toBe(false);
    expect((await copy.get('/me')).status).toBe(303);
  });
});

describe('forged cookies', () => {
  it('are refused', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const [secret = '', signature = ''] = (browser.cookies.get('tsreg-session') ?? '').split('.');
    const flipped = `${signature.slice(0, -2)}${signature.at(-2) === 'A' ? 'B' : 'A'}${signature.slice(-1)}`;
    for (const cookie of [
      secret,
      `${secret}.`,
      `.${signature}`,
      `${secret}.${flipped}`,
      `${secret}x.${signature}`,
      `${secret}.${signature}x`,
      'a'.repeat(5000),
      '%00.%00',
      `${secret}.${signature.toLowerCase()}`,
    ]) {
      const forger = site.browser();
      forger.cookies.set('tsreg-session', cookie);
      expect((await forger.get('/me')).status, cookie.slice(0, 80)).toBe(303);
    }
  });

  it('cannot use a visitor cookie as a session', async () => {
    const browser = site.browser();
    await browser.get('/sign-in');
    const visitor = browser.cookies.get('tsreg-visitor') ?? '';
    expect(visitor).not.toBe('');
    browser.cookies.set('tsreg-session', visitor);
    expect((await browser.get('/me')).status).toBe(303);
  });
});

describe('the redirect after signing in', () => {
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/%0d%0aSet-Cookie:x=1\r\nSet-Cookie: y=1',
    '/./\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '',
  ])('never leads to another site: %j', async (back) => {
    const { status, headers } = await site
      .browser()
      .submit('/sign-in', '/sign-in', { login: 'mira', password: PASSWORD, return: back });
    expect(status).toBe(303);
    const location = headers.get('location') ?? '';
    expect(new URL(location, SITE_URL).origin).toBe(SITE_URL);
    expect(location).toMatch(/^\/(?!\/)/);
  });
});

describe('forms', () => {
  it('are refused without a CSRF token or with that of another session', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const other = site.browser();
    await other.signIn('mira');
    const strange = proofIn((await other.get('/me')).text);
    const visitors = proofIn((await site.browser().get('/sign-in')).text);
    for (const csrf of ['', 'x', '.', strange, visitors, `${strange}.`]) {
      for (const action of ['/me/tokens', '/me/tokens/1/revoke', '/me/password', '/sign-out', '/sign-in']) {
        const { status } = await browser.post(action, { csrf, name: 'ci', scope: 'read', days: '' });
        expect(status, `${action} with ${csrf}`).toBe(403);
      }
    }
    const user = await site.store.records.findUser('mira');
    expect(await site.store.records.listTokens(user?.id ?? 0)).toEqual([]);
    expect((await browser.get('/me')).status).toBe(200);
  });

  it('are refused from other sites, even with a CSRF token', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const csrf = proofIn((await browser.get('/me')).text);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ]) {
      const { status } = await browser.post('/sign-out', { csrf }, headers);
      expect(status, JSON.stringify(headers)).toBeGreaterThanOrEqual(400);
    }
    expect((await browser.get('/me')).status).toBe(200);
  });

  it('for signing in require the CSRF token of the same browser', async () => {
    const { text } = await site.browser().get('/sign-in');
    const { status } = await site
      .browser()
      .post('/sign-in', { csrf: proofIn(text), login: 'mira', password: PASSWORD });
    expect(status).toBe(403);
  });

  it('are refused if they are too large', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const csrf = proofIn((await browser.get('/me')).text);
    const { status, text } = await browser.post('/me/tokens', { csrf, name: 'x'.repeat(70_000) });
    expect(status).toBe(413);
    expect(text).toContain('Form too large');
  });

  it('have a new CSRF token on every page', async () => {
    const browser = site.browser();
    await browser.signIn('mira');
    const first = proofIn((await browser.get('/me')).text);
    expect(proofIn((await browser.get('/me')).text)).not.toBe(first);
  });
});

describe('guessing passwords', () => {
  it('is blocked for 15 minutes after five failures', async () => {
    await using own = await makePagesSite();
    await own.addUser('mira');
    await own.addUser('ana');
    for (let i = 0; i < 5; i += 1)
      expect((await own.browser().signIn('mira', `guess ${i}`)).status).toBe(422);
    const stopped = await own.browser().signIn('Mira', PASSWORD);
    expect(stopped.status).toBe(429);
    expect(stopped.headers.get('retry-after')).toBe('900');
    expect((await own.browser().signIn('ana')).status).toBe(303);
    own.nowMs += 15 * 60 * 1000 + 1;
    expect((await own.browser().signIn('mira')).status).toBe(303);
    expect(JSON.stringify(own.logged)).not.toMatch(/guess|mira/i);
  });

  it('is blocked even if all attempts come at once', async () => {
    await using own = await makePagesSite();
    await own.addUser('mira');
    const attempts = Array.from({ length: 20 }, (_, i) => own.browser().signIn('mira', `guess ${i}`));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
  });

  it('is blocked if all attempts come from one /64', async () => {
    await using own = await makePagesSite();
    const throttle = new SignInThrottle(own.store.records, { clock: own.context.clock });
    const guess = async (address: string): Promise<unknown> =>
      throttle.attempt({ login: 'mira', address, device: null }, async () => false);
    for (let i = 1; i <= 5; i += 1) expect(await guess(`2001:db8:0:1::${i}`)).toBe('wrong');
    expect(await guess('2001:db8:0:1:a:b:c:d')).toEqual({ retrySeconds: 900 });
    expect(await guess('2001:db8:0:2::1')).toBe('wrong');
  });

  it('is counted from zero after a success', async () => {
    await using own = await makePagesSite();
    await own.addUser('mira');
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 4; i += 1) expect((await own.browser().signIn('mira', 'no')).status).toBe(422);
      expect((await own.browser().signIn('mira')).status).toBe(303);
    }
  });

  it('blocks an address with many failures, even for the right password', async () => {
    await using own = await makePagesSite();
    await own.addUser('mira');
    const atMs = own.nowMs;
    for (let i = 0; i < 50; i += 1)
      await own.store.records.takeSignInAttempt({
        ...{ limits: [{ subject: 'address unknown', max: null }], atMs, sinceMs: 0 },
      });
    expect((await own.browser().signIn('mira')).status).toBe(429);
  });
});
