/** `/me`: the account page. Cargo Book: Registry Web API, Login. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import type { ServerContext } from '../server-context.ts';
import { findPasswordProblem, hashPassword, verifyPassword } from '../auth/passwords.ts';
import { makeSecret } from '../auth/tokens.ts';
import { accountPage, EMPTY_TOKEN_FORM, type AccountView } from './account-page.ts';
import { NOT_FOUND } from './error-page.ts';
import { doneNote, type Note } from './form-parts.ts';
import { describeRefusal, SignInThrottle } from './sign-in-throttle.ts';
import { checkTokenForm, readTokenForm } from './token-form.ts';
import { PageError, type PageServices, type UserPageRequest, type PageHandlers } from './page-handlers.ts';

/** The parts of the account page that depend on the form that was sent. */
interface FormOutcome {
  readonly newToken?: AccountView['newToken'];
  readonly form?: AccountView['form'];
  readonly note?: Note | null;
}

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = { revoked: 'Token revoked.' };

/** Returns the routes of `/me` and its forms. */
export function accountRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const account = new AccountPages(services, handlers);
  return new Hono<HttpEnv>()
    .get(
      '/me',
      handlers.user((request) => account.showDone(request)),
    )
    .post(
      '/me/tokens',
      handlers.userForm((request, form) => account.makeToken(request, form)),
    )
    .post(
      '/me/tokens/:id/revoke',
      handlers.userForm((request) => account.revokeToken(request)),
    )
    .post(
      '/me/password',
      handlers.userForm((request, form) => account.changePassword(request, form)),
    );
}

class AccountPages {
  readonly #records: ServerContext['records'];
  readonly #clock: ServerContext['clock'];
  readonly #sessions: PageServices['sessions'];
  readonly #handlers: PageHandlers;
  readonly #throttle: SignInThrottle;

  constructor({ context: { records, clock }, sessions }: PageServices, handlers: PageHandlers) {
    this.#records = records;
    this.#clock = clock;
    this.#sessions = sessions;
    this.#handlers = handlers;
    this.#throttle = new SignInThrottle(records, { clock });
  }

  async showDone(request: UserPageRequest): Promise<Response> {
    return this.#show(request, { note: doneNote(DONE, request.c.req.query('done')) });
  }

  async makeToken(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const form = readTokenForm(fields);
    const createdAtMs = this.#clock.now();
    const checked = checkTokenForm(form, createdAtMs);
    if (typeof checked === 'string') return this.#show(request, { form, ...problem(checked) });
    const { secret, hash, prefix } = makeSecret();
    const { id, name } = await request.records.createToken({
      ...checked,
      userId: request.user.id,
      hash,
      prefix,
      createdAtMs,
    });
    await this.#audit(request, { action: 'make-token', tokenId: id, detail: name });
    return this.#show(request, { newToken: { name, secret } });
  }

  async revokeToken(request: UserPageRequest): Promise<Response> {
    const tokenId = Number(request.c.req.param('id'));
    if (!Number.isSafeInteger(tokenId)) throw new PageError(NOT_FOUND);
    const isRevoked = await request.records.revokeToken({
      userId: request.user.id,
      tokenId,
      atMs: this.#clock.now(),
    });
    if (isRevoked) await this.#audit(request, { action: 'revoke-token', tokenId, detail: null });
    return request.goTo('/me?done=revoked');
  }

  async changePassword(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const { user, c } = request;
    const passwordHash = await this.#records.findPasswordHash(user.id);
    const device = passwordHash === null ? null : await this.#sessions.knownDevice(c, { user, passwordHash });
    const attempt = { login: user.login, address: this.#handlers.address(c), device };
    const outcome = await this.#throttle.attempt(attempt, () =>
      verifyPassword(form.get('old') ?? '', passwordHash, { isKnownDevice: device !== null }),
    );
    if (typeof outcome === 'object') return this.#show(request, problem(describeRefusal(outcome)));
    if (outcome === 'wrong') return this.#show(request, problem('The current password is wrong.'));
    const password = form.get('new') ?? '';
    const passwordProblem = findPasswordProblem(password);
    if (passwordProblem !== null) return this.#show(request, problem(passwordProblem));
    const newHash = await hashPassword(password);
    await request.records.updateUser(user.id, { passwordHash: newHash });
    await this.#sessions.rememberDevice(c, { user, passwordHash: newHash });
    await this.#audit(request, { action: 'change-user', tokenId: null, detail: 'password' });
    await this.#sessions.end(c);
    return request.goTo('/sign-in');
  }

  async #show({ user, frame, show }: UserPageRequest, outcome: FormOutcome): Promise<Response> {
    const [tokens, crates] = await Promise.all([
      this.#records.listTokens(user.id),
      this.#records.listOwnedCrates(user.id),
    ]);
    const page = accountPage(frame, {
      user,
      tokens,
      crates,
      newToken: null,
      form: EMPTY_TOKEN_FORM,
      note: null,
      ...outcome,
    });
    return show(page, outcome.note?.kind === 'bad' ? 422 : 200);
  }

  async #audit(
    { user }: UserPageRequest,
    entry: {
      readonly action: 'make-token' | 'revoke-token' | 'change-user';
      readonly tokenId: number | null;
      readonly detail: string | null;
    },
  ): Promise<void> {
    await this.#records.addAudit({
      atMs: this.#clock.now(),
      actor: user.login,
      subject: user.login,
      ...entry,
    });
  }
}

function problem(text: string): { readonly note: Note } {
  return { note: { kind: 'bad', text } };
}
