/** The owners of a crate on its settings page. */
import type { User } from '../store/values.ts';
import type { CrateView } from './crate-frame.ts';
import { field } from './form-parts.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { csrfField, type Frame } from './layout.ts';
import { profilePath, settingsPath } from './paths.ts';

/** Maximum length of a login in the form. */
const MAX_LOGIN_CHARS = 64;

/** Returns the list of owners, with forms that add and remove one. `newOwner` is the login in the form. */
export function ownerSettings(
  frame: Frame,
  { crate, owners }: CrateView,
  { newOwner }: { readonly newOwner: string },
): Html {
  return html`<section aria-labelledby="owners"><h3 id="owners">Owners</h3>
<p>Owners publish and yank versions, and change these settings.</p>
<ul class="rows card">${owners.map((owner) => html`<li>${ownerName(owner)}${owners.length > 1 && removal(frame, { crate: crate.name, owner })}</li>`)}</ul>
${owners.length === 1 && html`<p class="quiet small">A crate needs an owner: add another one before you remove this one.</p>`}
<form class="row-form" method="post" action="${settingsPath(crate.name)}/owners">
${csrfField(frame)}
${field('Add an owner', html`<input id="new-owner" type="text" name="login" value="${newOwner}" required maxlength="${MAX_LOGIN_CHARS}" placeholder="Login" autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'new-owner' })}
<button>Add owner</button>
</form></section>`;
}

function ownerName({ login, name }: User): HtmlValue {
  return html`<span class="name"><a href="${profilePath(login)}">${login}</a>${name !== null && html` <span class="quiet">${name}</span>`}</span>`;
}

/** Returns a form behind a first click, because removed owners cannot add themselves again. */
function removal(frame: Frame, { crate, owner }: { readonly crate: string; readonly owner: User }): Html {
  const { login } = owner;
  const isSelf = login === frame.viewer?.login;
  return html`<details class="act"><summary>Remove…<span class="silent"> ${login}</span></summary>
<form class="confirm" method="post" action="${settingsPath(crate)}/owners/remove">
${csrfField(frame)}<input type="hidden" name="login" value="${login}">
<p>${isSelf ? 'You' : login} can no longer publish or yank versions, or change these settings.</p>
<button class="danger slim">Remove ${isSelf ? 'yourself' : login}</button>
</form></details>`;
}
