import { MAX_LOGIN_CHARS } from '../../auth/logins.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../auth/passwords.ts';
import type { Page, User } from '../../store/values.ts';
import { adminLayout } from './admin-frame.ts';
import { countOf, timeElement } from '../shared/format.ts';
import { checkbox, field, noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, pager, type Frame } from '../shared/layout.ts';
import { profilePath, userPath, withQuery } from '../shared/paths.ts';
import { crateSection, tokenSection, type UserLists } from '../shared/user-lists.ts';

/** Maximum length of a user's name. */
export const MAX_NAME_CHARS = 200;

/** The submitted fields for a new user, without the password. */
export interface UserForm {
  readonly login: string;
  readonly name: string;
  readonly isAdmin: boolean;
}

/** A part of the users, and the form for a new one. */
export interface UsersView {
  readonly users: Page<User>;
  readonly page: number;
  readonly pages: number;
  readonly form: UserForm;
  readonly note: Note | null;
}

/** Returns the list of users. */
export function usersPage(frame: Frame, view: UsersView): Html {
  const { users } = view;
  return adminLayout(frame, {
    tab: 'users',
    title: 'Users',
    content: html`${noteElement(view.note)}
<p>${countOf(users.total, 'user', 'users')}. <a href="#new-user">Create a user</a></p>
<table class="cards"><thead><tr><th scope="col">Login</th><th scope="col">Name</th><th scope="col">Created</th><th scope="col">Sign-in</th></tr></thead>
<tbody>${users.items.map((user) => userRow(frame, user))}</tbody></table>
${pager(view.page, view.pages, (page) => withQuery('/admin/users', { page }))}
<section aria-labelledby="new-user"><h2 id="new-user">New user</h2>
${newUserForm(frame, view.form)}</section>`,
  });
}

function userRow(frame: Frame, user: User): Html {
  return html`<tr><td class="name"><a href="${userPath(user.login)}">${user.login}</a>${userBadges(user)}</td>
<td>${user.name}</td>
<td data-label="Created">${timeElement(user.createdAtMs, frame)}</td>
<td data-label="Sign-in">${user.hasPassword ? 'with a password' : 'tokens only'}</td></tr>
`;
}

function userBadges(user: User): HtmlValue {
  return [
    user.isAdmin && html` <span class="badge good">admin</span>`,
    user.isDisabled && html` <span class="badge bad">disabled</span>`,
  ];
}

function newUserForm(frame: Frame, form: UserForm): Html {
  return html`<form class="stack" method="post" action="/admin/users">
${csrfField(frame)}
${field('Login', html`<input id="login" type="text" name="login" value="${form.login}" required maxlength="${MAX_LOGIN_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'login' })}
${field('Name', html`<input id="name" type="text" name="name" value="${form.name}" maxlength="${MAX_NAME_CHARS}" autocomplete="off" aria-describedby="name-hint">`, { id: 'name', hint: 'Shown next to the login. Optional.' })}
${field('Password', html`<input id="password" type="password" name="password" maxlength="${MAX_PASSWORD_CHARS}" autocomplete="new-password" aria-describedby="password-hint">`, { id: 'password', hint: html`Optional. Without a password, the user cannot sign in here and needs a token from <code>tsreg serve token</code>.` })}
${checkbox('Admin', { name: 'admin', isChecked: form.isAdmin })}
<div><button>Create user</button></div>
</form>`;
}

/** The data of a user's admin page. */
export interface UserView {
  readonly user: User;
  readonly lists: UserLists;
  readonly note: Note | null;
  /** Whether the user is the viewer, who cannot disable their own account. */
  readonly isSelf: boolean;
}

/** Returns the admin page of one user. */
export function userPage(frame: Frame, { user, lists, note, isSelf }: UserView): Html {
  const path = userPath(user.login);
  return adminLayout(frame, {
    tab: 'users',
    title: `User ${user.login}`,
    content: html`<p class="quiet">User ID ${user.id}, created ${timeElement(user.createdAtMs, frame)}${userBadges(user)}</p>
${noteElement(note)}
<div class="split"><section aria-labelledby="profile"><h2 id="profile">Profile</h2>
<form class="stack" method="post" action="${path}">
${csrfField(frame)}
${field('Name', html`<input id="name" type="text" name="name" value="${user.name}" maxlength="${MAX_NAME_CHARS}" autocomplete="off">`, { id: 'name' })}
${isSelf ? html`<p class="quiet">You cannot remove your own admin rights or disable your own account.</p>` : [checkbox('Admin', { name: 'admin', isChecked: user.isAdmin }), checkbox('Disabled: tokens, sessions and password are refused', { name: 'disabled', isChecked: user.isDisabled })]}
<div><button>Save</button></div>
</form></section>
<section aria-labelledby="password-heading"><h2 id="password-heading">Password</h2>
${passwordForms(frame, user, { isSelf })}</section></div>
<section aria-labelledby="tokens"><h2 id="tokens">Tokens</h2>
${tokenSection(frame, lists, 'This user has no tokens.')}</section>
<section aria-labelledby="crates"><h2 id="crates">Crates</h2>
${lists.crates.list.total > 0 && html`<p><a href="${profilePath(user.login)}">Public page of ${user.login}</a></p>`}
${crateSection(frame, lists, 'This user owns no crates.')}</section>`,
  });
}

/** Returns the form that sets a password, and for other users the one that removes it behind a first click. */
function passwordForms(
  frame: Frame,
  { login, hasPassword }: User,
  { isSelf }: { readonly isSelf: boolean },
): Html {
  const path = `${userPath(login)}/password`;
  return html`<form class="stack" method="post" action="${path}">
${csrfField(frame)}
${field('New password', html`<input id="password" type="password" name="password" required maxlength="${MAX_PASSWORD_CHARS}" autocomplete="new-password" aria-describedby="password-hint">`, { id: 'password', hint: `At least ${MIN_PASSWORD_CHARS} characters. Signs this user out everywhere.` })}
<div><button class="plain">Set password</button></div>
</form>
${
  hasPassword
    ? !isSelf &&
      html`<details class="act after"><summary>Remove password…<span class="silent"> of ${login}</span></summary>
<form class="confirm" method="post" action="${path}/remove">
${csrfField(frame)}
<p>${login} is signed out everywhere, and cannot sign in until an admin sets a new password. Tokens still work.</p>
<button class="danger slim">Remove password of ${login}</button>
</form></details>`
    : html`<p class="quiet after">This user has no password, and cannot sign in here.</p>`
}`;
}
