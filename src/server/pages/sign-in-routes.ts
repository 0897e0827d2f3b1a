/** Signing in and out. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { verifyPassword } from '../passwords.ts';
import type { User } from '../store-values.ts';
import { SignInThrottle, TOO_MANY_FAILURES } from './sign-in-throttle.ts';
import { signInPage } from './sign-in-page.ts';
import type { PageServices, Visits } from './visits.ts';
import { localPath } from './web-link.ts';

/** `/sign-in` and `/sign-out`. */
export function signInRoutes({ context, sessions }: PageServices, visits: Visits): Hono<HttpEnv> {
  const { records, clock, log } = context;
  const throttle = new SignInThrottle(records, clock);

  async function audit(action: 'sign-in' | 'sign-out', { login }: User): Promise<void> {
    const nothing = { tokenId: null, crate: null, version: null, subject: null, detail: null };
    await records.addAudit({ atMs: clock.now(), actor: login, action, ...nothing });
  }

  /** The user with this login and password; null if there is none, or it may not sign in. */
  async function check(login: string, password: string): Promise<User | null> {
    const user = await records.findUser(login);
    const hash = user === null ? null : await records.findPasswordHash(user.id);
    const isRight = await verifyPassword(password, hash);
    return isRight && user !== null && !user.isDisabled ? user : null;
  }

  return new Hono<HttpEnv>()
    .get('/sign-in', async (c) => {
      const { frame, user, show, goTo } = await visits.visit(c);
      const returnPath = localPath(c.req.query('return'), '/me');
      return user === null
        ? show(signInPage(frame, { login: '', returnPath, note: null }))
        : goTo(returnPath);
    })
    .post('/sign-in', async (c) => {
      const form = await visits.form(c);
      const { frame, show, goTo } = await visits.visit(c);
      const login = (form.get('login') ?? '').trim();
      const returnPath = localPath(form.get('return'), '/me');
      const attempt = { login, address: visits.address(c) };
      if (!(await throttle.begin(attempt))) {
        log.warning('sign-in-throttled', { address: attempt.address });
        c.header('Retry-After', String(throttle.waitSeconds));
        const note = { kind: 'bad', text: TOO_MANY_FAILURES } as const;
        return show(signInPage(frame, { login, returnPath, note }), 429);
      }
      const user = await check(login, form.get('password') ?? '');
      if (user === null) {
        await throttle.fail(attempt);
        log.warning('sign-in-refused', { address: attempt.address });
        const text = 'There is no user with this login and password.';
        return show(signInPage(frame, { login, returnPath, note: { kind: 'bad', text } }), 422);
      }
      await throttle.succeed(attempt);
      await sessions.start(c, user);
      await audit('sign-in', user);
      return goTo(returnPath);
    })
    .post('/sign-out', async (c) => {
      await visits.form(c);
      const { user, goTo } = await visits.visit(c);
      await sessions.end(c);
      if (user !== null) await audit('sign-out', user);
      return goTo('/');
    });
}
