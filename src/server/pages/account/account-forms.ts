/** The forms of the account page, with their problems. */
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../auth/passwords.ts';
import { MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../../auth/tokens.ts';
import type { TokenScope } from '../../store/values.ts';
import { checkbox, field, problemAttributes, problemElement } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, type Frame } from '../shared/layout.ts';
import type { PasswordProblem } from './password-change.ts';
import { TOKEN_DAYS, type TokenForm, type TokenProblem } from './token-form.ts';

/** Labels of the scopes. */
const SCOPE_TEXTS: Readonly<Record<TokenScope, string>> = {
  read: 'Read: index, downloads, search',
  'publish-new': 'Publish new crates',
  'publish-update': 'Publish new versions of existing crates',
  yank: 'Yank and unyank',
  owners: 'Change owners',
};

/** Returns the form for a new token. `formProblem` is shown next to its field; null for none. */
export function tokenForm(frame: Frame, form: TokenForm, formProblem: TokenProblem | null): Html {
  const problemOf = (name: TokenProblem['field']): string | null =>
    formProblem?.field === name ? formProblem.text : null;
  const state = (name: TokenProblem['field'], { hasHint = true } = {}): HtmlValue =>
    problemAttributes(`token-${name}`, { problem: problemOf(name), hasHint });
  return html`<form class="stack" method="post" action="/me/tokens">
${csrfField(frame)}
${field('Name', html`<input id="token-name" type="text" name="name" value="${form.name}" required maxlength="${MAX_TOKEN_NAME_CHARS}" autocomplete="off"${state('name')}>`, { id: 'token-name', problem: problemOf('name'), hint: 'A name to recognize the token by, for example where it is used.' })}
<fieldset id="token-scopes"${problemOf('scopes') !== null && html` tabindex="-1"`}${state('scopes')}><legend>Permissions</legend><div class="checks">${TOKEN_SCOPES.map((scope) => checkbox(SCOPE_TEXTS[scope], { name: 'scope', value: scope, isChecked: form.scopes.includes(scope) }))}</div>
${problemElement('token-scopes', problemOf('scopes'))}<p class="hint" id="token-scopes-hint">Select only what the token is for.</p></fieldset>
${field('Crates', html`<input id="token-patterns" type="text" name="patterns" value="${form.patterns}" maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false"${state('patterns')}>`, { id: 'token-patterns', problem: problemOf('patterns'), hint: html`Crate names, or patterns such as <code>my-*</code>, separated by spaces. Leave empty to allow every crate.` })}
${field('Expires', html`<select id="token-days" name="days"${state('days', { hasHint: false })}>${TOKEN_DAYS.map((days) => html`<option value="${days}"${days === form.days && html` selected`}>${days === '' ? 'never' : `in ${days} days`}</option>`)}</select>`, { id: 'token-days', problem: problemOf('days') })}
<div><button>Create token</button></div>
</form>`;
}

/**
 * Returns the form that changes the password of the viewer. `formProblem` is shown next to its field; null for none.
 * The hidden `login` tells password managers which password to change.
 */
export function passwordForm(frame: Frame, login: string, formProblem: PasswordProblem | null): Html {
  const passwordField = (label: string, name: PasswordProblem['field'], hint: string | null = null): Html => {
    const id = `password-${name}`;
    const problem = formProblem?.field === name ? formProblem.text : null;
    const autocomplete = name === 'old' ? 'current-password' : 'new-password';
    const attributes = problemAttributes(id, { problem, hasHint: hint !== null });
    const input = html`<input id="${id}" type="password" name="${name}" required maxlength="${MAX_PASSWORD_CHARS}" autocomplete="${autocomplete}"${attributes}>`;
    return field(label, input, { id, problem, hint });
  };
  return html`<form class="stack" method="post" action="/me/password">
${csrfField(frame)}
<input type="text" autocomplete="username" value="${login}" aria-label="Login" hidden>
${passwordField('Current password', 'old')}
${passwordField('New password', 'new', `At least ${MIN_PASSWORD_CHARS} characters. You stay signed in here, and are signed out everywhere else. Your tokens still work.`)}
${passwordField('New password again', 'again')}
<div><button class="plain">Change password</button></div>
</form>`;
}
