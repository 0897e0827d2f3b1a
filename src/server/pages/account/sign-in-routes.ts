import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import { verifyPassword } from '../../auth/passwords.ts';
import type { User } from '../../store/values.ts';
import { describeRefusal, SignInThrottle } from '../services/sign-in-throttle.ts';
import { signInPage } from './sign-in-page.ts';
import type { PageServices, PageHandlers } from '../services/page-handlers.ts';
import { localPath } from '../shared/web-link.ts';

/** An ID that no user has. With it, an unknown login causes the same query as a known one. */
const NOBODY = 0;

/** Returns the routes of `/sign-in` and `/sign-out`. */
export function signInRoutes(
  { context, sessions, failedSignIns }: PageServices,
  handlers: PageHandlers,
): Hono<HttpEnv> {
  const { records, clock, log } = context;
  const throttle = new SignInThrottle(records, { clock });

  async function audit(action: 'sign-in' | 'sign-out', { login }: User): Promise<void> {
    await records.addAudit({ atMs: clock.now(), actor: login, action });
  }

  return new Hono<HttpEnv>()
    .get('/sign-in', async (c) => {
      const { frame, user, show, goTo } = await handlers.pageRequest(c);
      const returnPath = localPath(c.req.query('return'), '/me');
      return user === null
        ? show(signInPage(frame, { login: '', returnPath, note: null }))
        : goTo(returnPath);
    })
    .post('/sign-in', async (c) => {
      const form = await handlers.form(c);
      const { frame, show, goTo } = await handlers.pageRequest(c);
      const login = (form.get('login') ?? '').trim();
      const returnPath = localPath(form.get('return'), '/me');
      const user = await records.findUser(login);
      const passwordHash = await records.findPasswordHash(user?.id ?? NOBODY);
      const owner = user === null || passwordHash === null ? null : { user, passwordHash };
      const device = owner === null ? null : await sessions.knownDevice(c, owner);
      const attempt = { login, address: handlers.address(c), device };
      const outcome = await throttle.attempt(attempt, async () => {
        const priority = { isKnownDevice: device !== null };
        const isCorrect = await verifyPassword(form.get('password') ?? '', passwordHash, priority);
        return isCorrect && user?.isDisabled === false;
      });
      const showProblem = (text: string, status: 422 | 429): Response =>
        show(signInPage(frame, { login, returnPath, note: { kind: 'bad', text } }), status);
      if (outcome !== 'right') failedSignIns.add(clock.now());
      if (typeof outcome === 'object') {
        log.warning('sign-in-throttled', { address: attempt.address });
        c.header('Retry-After', String(outcome.retrySeconds));
        return showProblem(describeRefusal(outcome), 429);
      }
      if (outcome === 'wrong' || owner === null) {
        log.warning('sign-in-refused', { address: attempt.address });
        return showProblem('Wrong login or password.', 422);
      }
      await sessions.start(c, owner);
      await sessions.rememberDevice(c, owner);
      await audit('sign-in', owner.user);
      return goTo(returnPath);
    })
    .post('/sign-out', async (c) => {
      await handlers.form(c);
      const { user, goTo } = await handlers.pageRequest(c);
      await sessions.end(c);
      if (user !== null) await audit('sign-out', user);
      return goTo('/');
    });
}
