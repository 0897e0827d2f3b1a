/** `/me`: the account page. Cargo Book: Registry Web API, Login. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { makeSecret } from '../../auth/tokens.ts';
import { type AccountFormOutcome, accountPage } from './account-page.ts';
import { badNote, doneNote } from '../shared/form-parts.ts';
import type { PageServices, UserPageRequest, PageHandlers } from '../services/page-handlers.ts';
import { PasswordChange } from './password-change.ts';
import { withQuery } from '../shared/paths.ts';
import { revokeTokenInPath } from '../services/revoke-token.ts';
import { describeRefusal } from '../services/sign-in-throttle.ts';
import { checkTokenForm, EMPTY_TOKEN_FORM, readTokenForm } from './token-form.ts';
import { readUserLists } from '../shared/user-lists.ts';

/** The outcome of a page that no form led to. */
const NO_OUTCOME: AccountFormOutcome = {
  newToken: null,
  form: EMPTY_TOKEN_FORM,
  tokenProblem: null,
  passwordProblem: null,
  note: null,
};

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  revoked: 'Token revoked.',
  password: 'Password changed. You were signed out everywhere else.',
};

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
  readonly #passwordChange: PasswordChange;

  constructor(services: PageServices, handlers: PageHandlers) {
    const { records, clock } = services.context;
    this.#records = records;
    this.#clock = clock;
    this.#passwordChange = new PasswordChange(services, handlers);
  }

  async showDone(request: UserPageRequest): Promise<Response> {
    return this.#show(request, { note: doneNote(DONE, request.c.req.query('done')) });
  }

  async makeToken(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const form = readTokenForm(fields);
    const createdAtMs = this.#clock.now();
    const checked = checkTokenForm(form, createdAtMs);
    if ('field' in checked) {
      return this.#show(request, { form, tokenProblem: checked, note: badNote(checked.text) });
    }
    const { secret, hash, prefix } = makeSecret();
    const { id, name } = await request.records.createToken({
      ...checked,
      userId: request.user.id,
      hash,
      prefix,
      createdAtMs,
    });
    await this.#records.addAudit({
      atMs: this.#clock.now(),
      actor: request.user.login,
      action: 'make-token',
      tokenId: id,
      subject: request.user.login,
      detail: name,
    });
    return this.#show(request, { newToken: { name, secret } });
  }

  async revokeToken(request: UserPageRequest): Promise<Response> {
    await revokeTokenInPath(request, { user: request.user, clock: this.#clock });
    return request.goTo(withQuery('/me', { done: 'revoked', tokens: request.c.req.query('tokens') ?? null }));
  }

  async changePassword(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const outcome = await this.#passwordChange.run(request, form);
    if (outcome.kind === 'changed') return request.goTo('/me?done=password');
    if (outcome.kind === 'problem') {
      const { problem } = outcome;
      return this.#show(request, { passwordProblem: problem, note: badNote(problem.text) });
    }
    request.c.header('Retry-After', String(outcome.refusal.retrySeconds));
    return this.#show(request, { note: badNote(describeRefusal(outcome.refusal)) }, 429);
  }

  /** Shows the page, with `badStatus` if the note of `outcome` is bad. Absent parts are those of `NO_OUTCOME`. */
  async #show(
    { c, user, frame, show }: UserPageRequest,
    outcome: Partial<AccountFormOutcome>,
    badStatus: 422 | 429 = 422,
  ): Promise<Response> {
    const [lists, teams] = await Promise.all([
      readUserLists(c, this.#records, { user, path: '/me' }),
      this.#records.listTeamsOf(user.id),
    ]);
    const page = accountPage(frame, { user, lists, teams, ...NO_OUTCOME, ...outcome });
    return show(page, outcome.note?.kind === 'bad' ? badStatus : 200);
  }
}
