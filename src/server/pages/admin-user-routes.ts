/** `/admin/users`: creates and changes users. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { findLoginProblem } from '../auth/logins.ts';
import { findPasswordProblem, hashPassword } from '../auth/passwords.ts';
import type { User } from '../store/values.ts';
import { userPage, usersPage, type UserForm } from './admin-user-pages.ts';
import { NOT_FOUND } from './error-page.ts';
import type { Note } from './form-parts.ts';
import { readPart } from './paging.ts';
import { userPath, withQuery } from './paths.ts';
import { PageError, type PageServices, type UserPageRequest, type PageHandlers } from './page-handlers.ts';

const USERS_PER_PAGE = 50;
const MAX_NAME_CHARS = 200;
const EMPTY_FORM: UserForm = { login: '', name: '', isAdmin: false };

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  made: 'User created.',
  saved: 'User saved.',
  password: 'Password set. The user was signed out everywhere.',
  'no-password': 'Password removed. The user was signed out everywhere.',
};

/** Returns the routes of `/admin/users` and its forms. */
export function adminUserRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, clock } = context;

  async function showUsers(visit: UserPageRequest, form: UserForm, note: Note | null): Promise<Response> {
    const { list, ...part } = await readPart(visit.c, USERS_PER_PAGE, (request) =>
      records.listUsers(request),
    );
    return visit.show(
      usersPage(visit.frame, { users: list, ...part, form, note }),
      note?.kind === 'bad' ? 422 : 200,
    );
  }

  async function showUser(visit: UserPageRequest, user: User, note: Note | null): Promise<Response> {
    const crates = await records.listOwnedCrates(user.id);
    const isSelf = user.id === visit.user.id;
    return visit.show(
      userPage(visit.frame, { user, crates, note, isSelf }),
      note?.kind === 'bad' ? 422 : 200,
    );
  }

  async function findUser({ c }: UserPageRequest): Promise<User> {
    const user = await records.findUser(c.req.param('login') ?? '');
    if (user === null) throw new PageError(NOT_FOUND);
    return user;
  }

  async function audit(
    { user }: UserPageRequest,
    entry: {
      readonly action: 'make-user' | 'change-user';
      readonly subject: string;
      readonly detail: string | null;
    },
  ): Promise<void> {
    const nothing = { tokenId: null, crate: null, version: null };
    await records.addAudit({ atMs: clock.now(), actor: user.login, ...nothing, ...entry });
  }

  return new Hono<HttpEnv>()
    .get(
      '/admin/users',
      handlers.admin((visit) => showUsers(visit, EMPTY_FORM, noteOf(visit))),
    )
    .post(
      '/admin/users',
      handlers.adminForm(async (visit, fields) => {
        const form: UserForm = {
          login: (fields.get('login') ?? '').trim(),
          name: nameOf(fields),
          isAdmin: fields.has('admin'),
        };
        const password = fields.get('password') ?? '';
        const problem =
          findLoginProblem(form.login) ?? (password === '' ? null : findPasswordProblem(password));
        if (problem !== null) return showUsers(visit, form, { kind: 'bad', text: problem });
        const { login, isAdmin } = form;
        const name = form.name === '' ? null : form.name;
        const user = await visit.records.createUser({ login, name, isAdmin, atMs: clock.now() });
        if (user === null) {
          return showUsers(visit, form, { kind: 'bad', text: `The login “${login}” is taken.` });
        }
        if (password !== '')
          await visit.records.updateUser(user.id, { passwordHash: await hashPassword(password) });
        await audit(visit, { action: 'make-user', subject: login, detail: isAdmin ? 'admin' : null });
        return visit.goTo(withQuery(userPath(login), { done: 'made' }));
      }),
    )
    .get(
      '/admin/users/:login',
      handlers.admin(async (visit) => showUser(visit, await findUser(visit), noteOf(visit))),
    )
    .post(
      '/admin/users/:login',
      handlers.adminForm(async (visit, fields) => {
        const user = await findUser(visit);
        const given = nameOf(fields);
        const name = given === '' ? null : given;
        const rights =
          user.id === visit.user.id
            ? { isAdmin: user.isAdmin, isDisabled: user.isDisabled }
            : { isAdmin: fields.has('admin'), isDisabled: fields.has('disabled') };
        const changes = [
          name !== user.name && 'name',
          rights.isAdmin !== user.isAdmin && (rights.isAdmin ? 'admin' : 'no longer admin'),
          rights.isDisabled !== user.isDisabled && (rights.isDisabled ? 'disabled' : 'no longer disabled'),
        ].filter((change) => change !== false);
        if (changes.length > 0) {
          await visit.records.updateUser(user.id, { name, ...rights });
          await audit(visit, { action: 'change-user', subject: user.login, detail: changes.join(', ') });
        }
        return visit.goTo(withQuery(userPath(user.login), { done: 'saved' }));
      }),
    )
    .post(
      '/admin/users/:login/password',
      handlers.adminForm(async (visit, fields) => {
        const user = await findUser(visit);
        const password = fields.get('password') ?? '';
        const problem = password === '' ? null : findPasswordProblem(password);
        if (problem !== null) return showUser(visit, user, { kind: 'bad', text: problem });
        const passwordHash = password === '' ? null : await hashPassword(password);
        await visit.records.updateUser(user.id, { passwordHash });
        const detail = passwordHash === null ? 'password removed' : 'password';
        await audit(visit, { action: 'change-user', subject: user.login, detail });
        const done = passwordHash === null ? 'no-password' : 'password';
        return visit.goTo(withQuery(userPath(user.login), { done }));
      }),
    );
}

function nameOf(fields: URLSearchParams): string {
  return (fields.get('name') ?? '').trim().slice(0, MAX_NAME_CHARS);
}

function noteOf({ c }: UserPageRequest): Note | null {
  const text = DONE[c.req.query('done') ?? ''];
  return text === undefined ? null : { kind: 'good', text };
}
