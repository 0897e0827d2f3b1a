/** The owners of a crate on its settings page: users and teams. */
import { MAX_LOGIN_CHARS } from '../../auth/logins.ts';
import { teamLogin } from '../../store/team-login.ts';
import type { Team, User } from '../../store/values.ts';
import type { CrateView } from '../shared/crate-frame.ts';
import { field } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, type Frame } from '../shared/layout.ts';
import { profilePath, settingsPath, teamPath } from '../shared/paths.ts';

/** Returns the list of owners, with forms that add and remove one. `newOwner` is the login in the form. */
export function ownerSettings(
  frame: Frame,
  { crate, owners, teams }: CrateView,
  { newOwner }: { readonly newOwner: string },
): Html {
  const path = `${settingsPath(crate.name)}/owners`;
  return html`<section aria-labelledby="owners"><h3 id="owners">Owners</h3>
<p>Owners publish and yank versions, and change these settings. Members of teams can only publish and yank versions, and change documentation.</p>
<ul class="rows card">${owners.map((owner) => html`<li>${userName(owner)}${owners.length > 1 && userRemoval(frame, { path, owner, hasTeams: teams.length > 0 })}</li>`)}
${teams.map((team) => html`<li>${teamName(team)}${teamRemoval(frame, { path, team })}</li>`)}</ul>
${owners.length === 1 && html`<p class="quiet small">A crate needs a user as owner: add another one before you remove this one.</p>`}
<form class="row-form" method="post" action="${path}">
${csrfField(frame)}
${field('Add an owner', html`<input id="new-owner" type="text" name="login" value="${newOwner}" required maxlength="${MAX_LOGIN_CHARS}" placeholder="Login or team:NAME" autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'new-owner' })}
<button>Add owner</button>
</form></section>`;
}

function userName({ login, name }: User): HtmlValue {
  return html`<span class="name"><a href="${profilePath(login)}">${login}</a>${name !== null && html` <span class="quiet">${name}</span>`}</span>`;
}

function teamName({ name }: Team): HtmlValue {
  return html`<span class="name"><a href="${teamPath(name)}">${name}</a> <span class="badge">team</span></span>`;
}

function userRemoval(
  frame: Frame,
  { path, owner, hasTeams }: { readonly path: string; readonly owner: User; readonly hasTeams: boolean },
): Html {
  const { login } = owner;
  const isSelf = login === frame.viewer?.login;
  const subject = isSelf ? 'You' : login;
  return removal(frame, {
    path,
    login,
    label: login,
    object: isSelf ? 'yourself' : login,
    effect: `${subject} can no longer change these settings, and no longer publish or yank versions${hasTeams ? ', except as a member of a team' : ''}.`,
  });
}

function teamRemoval(frame: Frame, { path, team }: { readonly path: string; readonly team: Team }): Html {
  const label = `team ${team.name}`;
  return removal(frame, {
    path,
    login: teamLogin(team.name),
    label,
    object: label,
    effect: 'Members of this team who are not owners themselves can no longer publish or yank versions.',
  });
}

/** The texts of a form that removes an owner. */
interface Removal {
  /** The path of the forms about owners. */
  readonly path: string;
  /** The login of the user, or that of the team. */
  readonly login: string;
  /** Follows “Remove…” for screen readers. */
  readonly label: string;
  /** Follows “Remove” on the button. */
  readonly object: string;
  /** A sentence about what changes for the owner. */
  readonly effect: string;
}

/** Returns a form behind a first click, because removed owners cannot add themselves again. */
function removal(frame: Frame, { path, login, label, object, effect }: Removal): Html {
  return html`<details class="act"><summary>Remove…<span class="silent"> ${label}</span></summary>
<form class="confirm" method="post" action="${path}/remove">
${csrfField(frame)}<input type="hidden" name="login" value="${login}">
<p>${effect}</p>
<button class="danger slim">Remove ${object}</button>
</form></details>`;
}
