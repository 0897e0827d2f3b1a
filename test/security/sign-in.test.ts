import { describe, expect, it } from 'vitest';
import { KeyThreads, PasswordsBusy } from '../../src/server/auth/key-threads.ts';
import { SignInThrottle } from '../../src/server/pages/services/sign-in-throttle.ts';
import { makePagesSite, PASSWORD, type PagesSite } from '../helpers/pages-site.ts';

/** Fails to sign in as `login` from `count` addresses, five times each: the limit of one address. */
async function failFrom(site: PagesSite, login: string, count: number): Promise<void> {
  const throttle = new SignInThrottle(site.store.records, { clock: site.context.clock });
  for (let i = 0; i < count * 5; i += 1) {
    const attempt = { login, address: `192.0.2.${i % count}`, device: null };
    expect(await throttle.attempt(attempt, async () => false)).toBe('wrong');
  }
}

describe('failed sign-ins from ten addresses', () => {
  it('do not lock out a device that has signed in before', async () => {
    await using site = await makePagesSite();
    await site.addUser('admin');
    const known = site.browser();
    expect((await known.signIn('admin')).status).toBe(303);
    await failFrom(site, 'admin', 10);
    expect((await known.submit('/me', '/sign-out', {})).status).toBe(303);
    expect((await known.signIn('admin')).status).toBe(303);
  });

  it('slow down unknown devices, which can still sign in', async () => {
    await using site = await makePagesSite();
    await site.addUser('admin');
    await failFrom(site, 'admin', 10);
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const throttle = new SignInThrottle(site.store.records, { clock: site.context.clock, pause });
    const stranger = { login: 'admin', address: '198.51.100.1', device: null };
    expect(await throttle.attempt(stranger, async () => true)).toBe('right');
    expect(pauses).toEqual([10_000]);
  });

  it('let only a few attempts wait, and tell the others when to retry', async () => {
    await using site = await makePagesSite();
    await failFrom(site, 'admin', 10);
    let goOn = (): void => {};
    const paused = new Promise<void>((resolve) => (goOn = resolve));
    const throttle = new SignInThrottle(site.store.records, {
      clock: site.context.clock,
      pause: () => paused,
    });
    const attempts = Array.from({ length: 10 }, (_, i) =>
      throttle.attempt({ login: 'admin', address: `198.51.100.${i}`, device: null }, async () => false),
    );
    expect(await Promise.race(attempts)).toEqual({ retrySeconds: 10 });
    goOn();
    const outcomes = await Promise.all(attempts);
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(3);
  });
});

describe('a device that has signed in before', () => {
  it('may send five wrong passwords too', async () => {
    await using site = await makePagesSite();
    await site.addUser('mira');
    const known = site.browser();
    await known.signIn('mira');
    await known.submit('/me', '/sign-out', {});
    for (let i = 0; i < 5; i += 1) expect((await known.signIn('mira', 'a wrong guess')).status).toBe(422);
    expect((await known.signIn('mira')).status).toBe(429);
  });

  it('is unknown for other users, after a new password, and with a changed cookie', async () => {
    await using site = await makePagesSite();
    const mira = await site.addUser('mira');
    await site.addUser('admin');
    const browser = site.browser();
    await browser.signIn('mira');
    await browser.submit('/me', '/sign-out', {});
    const name = `tsreg-device-${mira.id}`;
    const cookie = browser.cookies.get(name) ?? '';
    expect(cookie).toMatch(/^[\w-]{32}\.[\w-]{43}$/);

    await failFrom(site, 'admin', 10);
    const admin = await site.store.records.findUser('admin');
    browser.cookies.set(`tsreg-device-${admin?.id}`, cookie);
    const { sessions, requestOf } = await devicesOf(site);
    const ownerOf = async (login: string): Promise<Parameters<typeof sessions.knownDevice>[1]> => {
      const user = await site.store.records.findUser(login);
      if (user === null) throw new Error(`no user ${login}`);
      return { user, passwordHash: (await site.store.records.findPasswordHash(user.id)) ?? '' };
    };
    const isKnown = async (login: string, cookies: string): Promise<boolean> =>
      (await sessions.knownDevice(requestOf(cookies), await ownerOf(login))) !== null;
    expect(await isKnown('mira', `${name}=${cookie}`)).toBe(true);
    expect(await isKnown('admin', `tsreg-device-${admin?.id}=${cookie}`)).toBe(false);
    expect(await isKnown('mira', `${name}=x${cookie}`)).toBe(false);
    await site.store.records.updateUser(mira.id, { passwordHash: 'another' });
    expect(await isKnown('mira', `${name}=${cookie}`)).toBe(false);
  });
});

async function devicesOf(site: PagesSite) {
  const { Sessions } = await import('../../src/server/pages/services/sessions.ts');
  const { Context } = await import('hono');
  return {
    sessions: new Sessions(site.context),
    requestOf: (cookie: string) => new Context(new Request('http://x/', { headers: { cookie } })),
  };
}

describe('a sign-in attempt', () => {
  it('is counted for its address before the password is checked', async () => {
    await using site = await makePagesSite();
    const throttle = new SignInThrottle(site.store.records, { clock: site.context.clock });
    let checked = 0;
    const attempts = Array.from({ length: 200 }, (_, i) =>
      throttle.attempt({ login: `user${i}`, address: '192.0.2.1', device: null }, async () => {
        checked += 1;
        return false;
      }),
    );
    const outcomes = await Promise.all(attempts);
    expect(checked).toBe(50);
    expect(outcomes.filter((outcome) => outcome !== 'wrong')).toEqual(Array(150).fill({ retrySeconds: 900 }));
  });

  it('is not counted if the password is right or was not checked', async () => {
    await using site = await makePagesSite();
    const throttle = new SignInThrottle(site.store.records, { clock: site.context.clock });
    const from = (login: string) => ({ login, address: '192.0.2.1', device: null });
    for (let i = 0; i < 60; i += 1) {
      expect(await throttle.attempt(from(`user${i}`), async () => true)).toBe('right');
      const busy = throttle.attempt(from('mira'), () => Promise.reject(new PasswordsBusy()));
      await expect(busy).rejects.toThrow('too many passwords');
    }
    expect(await throttle.attempt(from('mira'), async () => false)).toBe('wrong');
  });

  it('makes the same store calls for an unknown login', async () => {
    await using site = await makePagesSite();
    await site.addUser('mira');
    const asked: string[] = [];
    const { records } = site.context;
    const spied = new Proxy(records, {
      get(target, name, receiver) {
        asked.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
    await using other = await makePagesSite({}, { records: spied });
    const questionsOf = async (login: string): Promise<readonly string[]> => {
      const browser = other.browser();
      await browser.get('/sign-in');
      asked.length = 0;
      expect((await browser.signIn(login, 'a wrong guess')).status).toBe(422);
      return [...asked];
    };
    expect(await questionsOf('nobody')).toEqual(await questionsOf('mira'));
  });
});

describe('threads that derive keys from passwords', () => {
  const order = { password: PASSWORD, salt: new Uint8Array(1), log2n: 1, r: 1, p: 1 };

  it('derive two keys at a time, queue a few requests, and refuse the rest', async () => {
    const running: (() => void)[] = [];
    let most = 0;
    const threads = new KeyThreads(async () => {
      await new Promise<void>((resolve) => {
        running.push(resolve);
        most = Math.max(most, running.length);
      });
      return new Uint8Array(1);
    });
    const all = Array.from({ length: 50 }, () => threads.derive(order, { isKnownDevice: false }));
    const settled = Promise.allSettled(all);
    await expect(Promise.race(all)).rejects.toBeInstanceOf(PasswordsBusy);
    for (let i = 0; i < 18; i += 1) {
      running.shift()?.();
      await new Promise(setImmediate);
    }
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(18);
    expect(most).toBe(2);
  });

  it('serve devices that have signed in before ahead of unknown devices', async () => {
    const served: string[] = [];
    const threads = new KeyThreads(async ({ password }) => {
      await new Promise(setImmediate);
      served.push(password);
      return new Uint8Array(1);
    });
    const derive = (password: string, isKnownDevice: boolean): Promise<Uint8Array> =>
      threads.derive({ ...order, password }, { isKnownDevice });
    const strangers = Array.from({ length: 18 }, (_, i) => derive(`stranger ${i}`, false));
    const known = derive('known', true);
    await Promise.all([...strangers, known]);
    expect(served.indexOf('known')).toBeLessThanOrEqual(3);
  });

  it('also serve unknown devices while a known device signs in repeatedly', async () => {
    let isServed = false;
    const threads = new KeyThreads(async () => {
      await new Promise(setImmediate);
      return new Uint8Array(1);
    });
    const known = Array.from({ length: 5 }, async () => {
      for (let i = 0; i < 20 && !isServed; i += 1) await threads.derive(order, { isKnownDevice: true });
    });
    const stranger = threads.derive(order, { isKnownDevice: false }).then(() => (isServed = true));
    await Promise.all(known);
    expect(isServed).toBe(true);
    await stranger;
  });
});
