/** `/me`: the tokens, teams and crates of the signed-in user. Cargo Book: Registry Web API, Login. */
import type { Team, User } from '../../store/values.ts';
import { passwordForm, tokenForm } from './account-forms.ts';
import { timeElement } from '../shared/format.ts';
import { noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { copyBox, layout, type Frame } from '../shared/layout.ts';
import type { PasswordProblem } from './password-change.ts';
import { profilePath } from '../shared/paths.ts';
import { teamLinks } from '../shared/team-links.ts';
import type { TokenForm, TokenProblem } from './token-form.ts';
import { crateSection, tokenSection, type UserLists } from '../shared/user-lists.ts';

/** The parts of the account page that depend on the form that was sent. Each is null if it does not apply. */
export interface AccountFormOutcome {
  /** A token that was just created, which is shown only once. */
  readonly newToken: { readonly name: string; readonly secret: string } | null;
  /** The fields of the form for a new token. */
  readonly form: TokenForm;
  readonly tokenProblem: TokenProblem | null;
  readonly passwordProblem: PasswordProblem | null;
  readonly note: Note | null;
}

/** The data of the account page. */
export interface AccountView extends AccountFormOutcome {
  readonly user: User;
  readonly lists: UserLists;
  readonly teams: readonly Team[];
}

/** Returns the account page. */
export function accountPage(frame: Frame, view: AccountView): Html {
  const { user, lists, teams } = view;
  return layout(frame, {
    title: 'Your account',
    content: html`<h1>${user.login}</h1>
<p class="quiet">${user.name !== null && html`${user.name} · `}${user.isAdmin && 'admin · '}created ${timeElement(user.createdAtMs, frame)}</p>
${noteElement(view.note)}
${newTokenNote(frame, view)}
<section aria-labelledby="tokens"><h2 id="tokens">Tokens</h2>
${tokenSection(frame, lists, 'You have no tokens. Create the first one below.')}</section>
<div class="split"><section aria-labelledby="new-token"><h2 id="new-token">New token</h2>
${tokenForm(frame, view.form, view.tokenProblem)}</section>
${
  user.hasPassword &&
  html`<section aria-labelledby="password"><h2 id="password">Password</h2>
${passwordForm(frame, user.login, view.passwordProblem)}</section>`
}</div>
${
  teams.length > 0 &&
  html`<section aria-labelledby="teams"><h2 id="teams">Your teams</h2>
<p class="quiet">You can publish and yank versions of their crates.</p>
${teamLinks(teams)}</section>`
}
<section aria-labelledby="crates"><h2 id="crates">Your crates</h2>
${lists.crates.list.total > 0 && html`<p><a href="${profilePath(user.login)}">Your public page</a></p>`}
${crateSection(frame, lists, html`You own no crates. <a href="/#use">See how to publish one</a>.`)}</section>`,
  });
}

function newTokenNote({ identity }: Frame, { newToken }: AccountView): HtmlValue {
  if (newToken === null) return null;
  const { registryName } = identity;
  return html`<div class="note good" role="status"><p><strong>Token “${newToken.name}” created.</strong> Copy it now: it is not shown again.</p>
${copyBox('token', newToken.secret, 'Token')}
<p class="small after">To store it, run <code>tsreg login --registry ${registryName}</code> or <code>cargo login --registry ${registryName}</code> and paste it.</p></div>`;
}
