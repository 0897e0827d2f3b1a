/** `/admin/users`: creates and changes users. */
import { Hono } from 'hono';
import { type HttpEnv, routeParam } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { findLoginProblem } from '../../auth/logins.ts';
import { findPasswordProblem, hashPassword } from '../../auth/passwords.ts';
import type { User } from '../../store/values.ts';
import { MAX_NAME_CHARS, userPage, usersPage, type UserForm } from './admin-user-pages.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { badNote, doneNote, type Note } from '../shared/form-parts.ts';
import { readPart } from '../shared/paging.ts';
import { userPath, withQuery } from '../shared/paths.ts';
import {
  PageError,
  type PageServices,
  type UserPageRequest,
  type PageHandlers,
} from '../services/page-handlers.ts';
import { revokeTokenInPath } from '../services/revoke-token.ts';
import { readUserLists } from '../shared/user-lists.ts';

const USERS_PER_PAGE = 50;
const EMPTY_FORM: UserForm = { login: '', name: '', isAdmin: false };

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  made: 'User created.',
  saved: 'User saved.',
  password: 'Password set. The user was signed out everywhere.',
  'no-password': 'Password removed. The user was signed out everywhere.',
  revoked: 'Token revoked.',
};

/** Returns the routes of `/admin/users` and its forms. */
export function adminUserRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const users = new UserAdministration(context);
  return new Hono<HttpEnv>()
    .get(
      '/admin/users',
      handlers.admin((request) => users.showAll(request, EMPTY_FORM, noteOf(request))),
    )
    .post(
      '/admin/users',
      handlers.adminForm((request, fields) => users.create(request, fields)),
    )
    .get(
      '/admin/users/:login',
      handlers.admin((request) => users.showOne(request)),
    )
    .post(
      '/admin/users/:login',
      handlers.adminForm((request, fields) => users.change(request, fields)),
    )
    .post(
      '/admin/users/:login/password',
      handlers.adminForm((request, fields) => users.setPassword(request, fields)),
    )
    .post(
      '/admin/users/:login/password/remove',
      handlers.adminForm((request) => users.removePassword(request)),
    )
    .post(
      '/admin/users/:login/tokens/:id/revoke',
      handlers.adminForm((request) => users.revokeToken(request)),
    );
}

class UserAdministration {
  readonly #records: ServerContext['records'];
  readonly #clock: ServerContext['clock'];

  constructor({ records, clock }: ServerContext) {
    this.#records = records;
    this.#clock = clock;
  }

  async showAll(request: UserPageRequest, form: UserForm, note: Note | null): Promise<Response> {
    const { list, ...part } = await readPart(request.c, USERS_PER_PAGE, (page) =>
      this.#records.listUsers(page),
    );
    return request.show(
      usersPage(request.frame, { users: list, ...part, form, note }),
      note?.kind === 'bad' ? 422 : 200,
    );
  }

  async showOne(request: UserPageRequest): Promise<Response> {
    return this.#show(request, await this.#findUser(request), noteOf(request));
  }

  /** Creates a user, without a password if the field is empty. */
  async create(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const form: UserForm = {
      login: (fields.get('login') ?? '').trim(),
      name: nameOf(fields),
      isAdmin: fields.has('admin'),
    };
    const password = fields.get('password') ?? '';
    const problem = findLoginProblem(form.login) ?? (password === '' ? null : findPasswordProblem(password));
    if (problem !== null) return this.showAll(request, form, badNote(problem));
    const { login, isAdmin } = form;
    const name = form.name || null;
    // Hash first: if too many passwords are being hashed, no user without a password remains.
    const passwordHash = password === '' ? null : await hashPassword(password);
    const user = await request.records.createUser({ login, name, isAdmin, atMs: this.#clock.now() });
    if (user === null) return this.showAll(request, form, badNote(`The login “${login}” is taken.`));
    if (passwordHash !== null) await request.records.updateUser(user.id, { passwordHash });
    await this.#audit(request, { action: 'make-user', subject: login, detail: isAdmin ? 'admin' : null });
    return request.goTo(withQuery(userPath(login), { done: 'made' }));
  }

  async change(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const user = await this.#findUser(request);
    const name = nameOf(fields) || null;
    // Admins must not lock themselves out.
    const rights =
      user.id === request.user.id
        ? { isAdmin: user.isAdmin, isDisabled: user.isDisabled }
        : { isAdmin: fields.has('admin'), isDisabled: fields.has('disabled') };
    const changes = [
      name !== user.name && 'name',
      rights.isAdmin !== user.isAdmin && (rights.isAdmin ? 'admin' : 'no longer admin'),
      rights.isDisabled !== user.isDisabled && (rights.isDisabled ? 'disabled' : 'no longer disabled'),
    ].filter((change) => change !== false);
    if (changes.length > 0) {
      await request.records.updateUser(user.id, { name, ...rights });
      await this.#audit(request, { action: 'change-user', subject: user.login, detail: changes.join(', ') });
    }
    return request.goTo(withQuery(userPath(user.login), { done: 'saved' }));
  }

  /** Sets the password, which ends all sessions of the user. */
  async setPassword(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const user = await this.#findUser(request);
    const password = fields.get('password') ?? '';
    const problem = findPasswordProblem(password);
    if (problem !== null) return this.#show(request, user, badNote(problem));
    await request.records.updateUser(user.id, { passwordHash: await hashPassword(password) });
    await this.#audit(request, { action: 'change-user', subject: user.login, detail: 'password' });
    return request.goTo(withQuery(userPath(user.login), { done: 'password' }));
  }

  /** Removes the password of another user, which ends all their sessions. */
  async removePassword(request: UserPageRequest): Promise<Response> {
    const user = await this.#findUser(request);
    if (user.id === request.user.id) {
      return this.#show(request, user, badNote('You cannot remove your own password.'));
    }
    await request.records.updateUser(user.id, { passwordHash: null });
    await this.#audit(request, { action: 'change-user', subject: user.login, detail: 'password removed' });
    return request.goTo(withQuery(userPath(user.login), { done: 'no-password' }));
  }

  async revokeToken(request: UserPageRequest): Promise<Response> {
    const user = await this.#findUser(request);
    await revokeTokenInPath(request, { user, clock: this.#clock });
    const tokens = request.c.req.query('tokens') ?? null;
    return request.goTo(withQuery(userPath(user.login), { done: 'revoked', tokens }));
  }

  async #show(request: UserPageRequest, user: User, note: Note | null): Promise<Response> {
    const lists = await readUserLists(request.c, this.#records, { user, path: userPath(user.login) });
    const isSelf = user.id === request.user.id;
    return request.show(
      userPage(request.frame, { user, lists, note, isSelf }),
      note?.kind === 'bad' ? 422 : 200,
    );
  }

  /** Finds the user in the path. Throws `PageError` if it does not exist. */
  async #findUser({ c }: UserPageRequest): Promise<User> {
    const user = await this.#records.findUser(routeParam(c, 'login'));
    if (user === null) throw new PageError(NOT_FOUND);
    return user;
  }

  async #audit(
    { user }: UserPageRequest,
    entry: {
      readonly action: 'make-user' | 'change-user';
      readonly subject: string;
      readonly detail: string | null;
    },
  ): Promise<void> {
    await this.#records.addAudit({
      atMs: this.#clock.now(),
      actor: user.login,
      ...entry,
    });
  }
}

/** Returns the submitted name; empty for none. */
function nameOf(fields: URLSearchParams): string {
  return (fields.get('name') ?? '').trim().slice(0, MAX_NAME_CHARS);
}

function noteOf({ c }: UserPageRequest): Note | null {
  return doneNote(DONE, c.req.query('done'));
}
