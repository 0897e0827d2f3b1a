/** `/me`: the tokens and crates of the signed-in user. Cargo Book: Registry Web API, Login. */
import { MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../auth/tokens.ts';
import type { Crate, Token, TokenScope, User } from '../store/values.ts';
import { codes, minuteElement, timeElement } from './format.ts';
import { checkbox, field, noteElement, type Note } from './form-parts.ts';
import { crateList } from './home-page.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { copyBox, csrfField, layout, type Frame } from './layout.ts';

/** The submitted fields for a new token, unchecked, so that they can be shown again. */
export interface TokenForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly patterns: string;
  /** Days; empty for a token that does not expire. */
  readonly days: string;
}

/** The initial fields of the form for a new token. */
export const EMPTY_TOKEN_FORM: TokenForm = {
  name: '',
  scopes: TOKEN_SCOPES,
  patterns: '',
  days: '90',
};

/** Labels of the scopes. */
const SCOPE_TEXTS: Readonly<Record<TokenScope, string>> = {
  read: 'Read: index, downloads, search',
  'publish-new': 'Publish new crates',
  'publish-update': 'Publish new versions of existing crates',
  yank: 'Yank and unyank',
  owners: 'Change owners',
};

/** Lifetimes of tokens in days; empty for no expiry. */
export const TOKEN_DAYS: readonly string[] = ['7', '30', '90', '365', ''];

/** The data of the account page. */
export interface AccountView {
  readonly user: User;
  readonly tokens: readonly Token[];
  readonly crates: readonly Crate[];
  /** A token that was just created, which is shown only once. */
  readonly newToken: { readonly name: string; readonly secret: string } | null;
  readonly form: TokenForm;
  /** The result of the last form. */
  readonly note: Note | null;
}

/** Returns the account page. */
export function accountPage(frame: Frame, view: AccountView): Html {
  const { user } = view;
  return layout(frame, {
    title: 'Your account',
    content: html`<h1>${user.login}</h1>
<p class="quiet">${user.name !== null && html`${user.name} · `}${user.isAdmin && 'admin · '}created ${timeElement(user.createdAtMs, frame)}</p>
${noteElement(view.note)}
${newTokenNote(frame, view)}
<section aria-labelledby="tokens"><h2 id="tokens">Tokens</h2>
${tokenTable(frame, view)}</section>
<div class="split"><section aria-labelledby="new-token"><h2 id="new-token">New token</h2>
${tokenForm(frame, view.form)}</section>
${user.hasPassword && passwordForm(frame)}</div>
<section aria-labelledby="crates"><h2 id="crates">Your crates</h2>
${view.crates.length === 0 ? html`<p class="quiet">You own no crates. <a href="/#use">See how to publish one</a>.</p>` : crateList(frame, view.crates)}</section>`,
  });
}

function newTokenNote({ identity }: Frame, { newToken }: AccountView): HtmlValue {
  if (newToken === null) return null;
  const { registryName } = identity;
  return html`<div class="note good" role="status"><p><strong>Token “${newToken.name}” created.</strong> Copy it now: it is not shown again.</p>
${copyBox('token', newToken.secret, 'Token')}
<p class="small after">To store it, run <code>tsreg login --registry ${registryName}</code> or <code>cargo login --registry ${registryName}</code> and paste it.</p></div>`;
}

function tokenTable(frame: Frame, { tokens }: AccountView): Html {
  if (tokens.length === 0) return html`<p class="quiet">You have no tokens. Create the first one below.</p>`;
  return html`<table class="cards"><thead><tr><th scope="col">Token</th><th scope="col">Permissions</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${tokens.map((token) => tokenRow(frame, token))}</tbody></table>`;
}

function tokenRow(frame: Frame, token: Token): Html {
  const isExpired = token.expiresAtMs !== null && token.expiresAtMs <= frame.nowMs;
  const isRevoked = token.revokedAtMs !== null;
  return html`<tr><td class="name"><strong>${token.name}</strong>${isRevoked && html` <span class="badge bad">revoked</span>`}${!isRevoked && isExpired && html` <span class="badge mark">expired</span>`}
<br><span class="quiet small"><code>${token.prefix}…</code> created ${timeElement(token.createdAtMs, frame)}</span></td>
<td data-label="Permissions">${token.scopes.join(', ')}${token.cratePatterns.length > 0 && html`<br><span class="quiet small">crates: ${codes(token.cratePatterns)}</span>`}</td>
<td data-label="Last used">${token.lastUsedAtMs === null ? 'never' : minuteElement(token.lastUsedAtMs)}</td>
<td data-label="Expires">${token.expiresAtMs === null ? 'never' : timeElement(token.expiresAtMs, frame)}</td>
<td class="acts">${!isRevoked && html`<form class="inline" method="post" action="/me/tokens/${token.id}/revoke">${csrfField(frame)}<button class="danger slim">Revoke<span class="silent"> ${token.name}</span></button></form>`}</td></tr>
`;
}

function tokenForm(frame: Frame, form: TokenForm): Html {
  return html`<form class="stack" method="post" action="/me/tokens">
${csrfField(frame)}
${field('Name', html`<input id="token-name" type="text" name="name" value="${form.name}" required maxlength="${MAX_TOKEN_NAME_CHARS}" autocomplete="off" aria-describedby="token-name-hint">`, { id: 'token-name', hint: 'A name to recognize the token by, for example where it is used.' })}
<fieldset><legend>Permissions</legend><div class="checks">${TOKEN_SCOPES.map((scope) => checkbox(SCOPE_TEXTS[scope], { name: 'scope', value: scope, isChecked: form.scopes.includes(scope) }))}</div></fieldset>
${field('Crates', html`<input id="token-patterns" type="text" name="patterns" value="${form.patterns}" maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="token-patterns-hint">`, { id: 'token-patterns', hint: html`Crate names, or patterns such as <code>my-*</code>, separated by spaces. Leave empty to allow every crate.` })}
${field('Expires', html`<select id="token-days" name="days">${TOKEN_DAYS.map((days) => html`<option value="${days}"${days === form.days && html` selected`}>${days === '' ? 'never' : `in ${days} days`}</option>`)}</select>`, { id: 'token-days' })}
<div><button>Create token</button></div>
</form>`;
}

function passwordForm(frame: Frame): Html {
  return html`<section aria-labelledby="password"><h2 id="password">Password</h2>
<form class="stack" method="post" action="/me/password">
${csrfField(frame)}
${field('Current password', html`<input id="old-password" type="password" name="old" required maxlength="1024" autocomplete="current-password">`, { id: 'old-password' })}
${field('New password', html`<input id="new-password" type="password" name="new" required maxlength="1024" autocomplete="new-password" aria-describedby="new-password-hint">`, { id: 'new-password', hint: 'You will be signed out everywhere, including here.' })}
<div><button class="plain">Change password</button></div>
</form></section>`;
}
