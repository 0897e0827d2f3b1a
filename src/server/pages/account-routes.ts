/** `/me`: the account page. Cargo Book: Registry Web API, Login. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { findPasswordProblem, hashPassword, verifyPassword } from '../auth/passwords.ts';
import { makeSecret } from '../auth/tokens.ts';
import { accountPage, EMPTY_TOKEN_FORM, type AccountView } from './account-page.ts';
import { REGISTRY_NAME } from './crate-frame.ts';
import { NOT_FOUND } from './error-page.ts';
import type { Note } from './form-parts.ts';
import { describeRefusal, SignInThrottle } from './sign-in-throttle.ts';
import { checkTokenForm, readTokenForm } from './token-form.ts';
import { PageError, type PageServices, type UserPageRequest, type PageHandlers } from './page-handlers.ts';

type Shown = Partial<Pick<AccountView, 'newToken' | 'form' | 'note'>>;

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = { revoked: 'Token revoked.' };

/** Returns the routes of `/me` and its forms. */
export function accountRoutes({ context, sessions }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, clock } = context;
  const throttle = new SignInThrottle(records, { clock });

  async function show(visit: UserPageRequest, shown: Shown): Promise<Response> {
    const { user, frame } = visit;
    const [tokens, crates] = await Promise.all([
      records.listTokens(user.id),
      records.listOwnedCrates(user.id),
    ]);
    const page = accountPage(frame, {
      ...{ user, tokens, crates, newToken: null, form: EMPTY_TOKEN_FORM, note: null },
      ...{ nowMs: clock.now(), registryName: REGISTRY_NAME },
      ...shown,
    });
    return visit.show(page, shown.note?.kind === 'bad' ? 422 : 200);
  }

  const refuse = (text: string): { readonly note: Note } => ({ note: { kind: 'bad', text } });

  return new Hono<HttpEnv>()
    .get(
      '/me',
      handlers.own((visit) => {
        const text = DONE[visit.c.req.query('done') ?? ''];
        return show(visit, text === undefined ? {} : { note: { kind: 'good', text } });
      }),
    )
    .post(
      '/me/tokens',
      handlers.ownForm(async (visit, fields) => {
        const form = readTokenForm(fields);
        const createdAtMs = clock.now();
        const request = checkTokenForm(form, createdAtMs);
        if (typeof request === 'string') return show(visit, { form, ...refuse(request) });
        const { secret, hash, prefix } = makeSecret();
        const { id, name } = await visit.records.createToken({
          ...request,
          ...{ userId: visit.user.id, hash, prefix, createdAtMs },
        });
        await audit(visit, { action: 'make-token', tokenId: id, detail: name });
        return show(visit, { newToken: { name, secret } });
      }),
    )
    .post(
      '/me/tokens/:id/revoke',
      handlers.ownForm(async (visit) => {
        const tokenId = Number(visit.c.req.param('id'));
        if (!Number.isSafeInteger(tokenId)) throw new PageError(NOT_FOUND);
        const isRevoked = await visit.records.revokeToken({
          ...{ userId: visit.user.id, tokenId, atMs: clock.now() },
        });
        if (isRevoked) await audit(visit, { action: 'revoke-token', tokenId, detail: null });
        return visit.goTo('/me?done=revoked');
      }),
    )
    .post(
      '/me/password',
      handlers.ownForm(async (visit, form) => {
        const { user } = visit;
        const passwordHash = await records.findPasswordHash(user.id);
        const device =
          passwordHash === null ? null : await sessions.knownDevice(visit.c, { user, passwordHash });
        const attempt = { login: user.login, address: handlers.address(visit.c), device };
        const outcome = await throttle.attempt(attempt, () =>
          verifyPassword(form.get('old') ?? '', passwordHash, { isKnownDevice: device !== null }),
        );
        if (typeof outcome === 'object') return show(visit, refuse(describeRefusal(outcome)));
        if (outcome === 'wrong') return show(visit, refuse('The current password is wrong.'));
        const password = form.get('new') ?? '';
        const problem = findPasswordProblem(password);
        if (problem !== null) return show(visit, refuse(problem));
        const newHash = await hashPassword(password);
        await visit.records.updateUser(user.id, { passwordHash: newHash });
        await sessions.rememberDevice(visit.c, { user, passwordHash: newHash });
        await audit(visit, { action: 'change-user', tokenId: null, detail: 'password' });
        await sessions.end(visit.c);
        return visit.goTo('/sign-in');
      }),
    );

  async function audit(
    { user }: UserPageRequest,
    entry: {
      readonly action: 'make-token' | 'revoke-token' | 'change-user';
      readonly tokenId: number | null;
      readonly detail: string | null;
    },
  ): Promise<void> {
    const nothing = { crate: null, version: null };
    await records.addAudit({
      atMs: clock.now(),
      actor: user.login,
      subject: user.login,
      ...nothing,
      ...entry,
    });
  }
}
