/** Lists of links to teams and to their members. */
import type { Team, User } from '../../store/values.ts';
import { countOf } from './format.ts';
import { html, type Html } from './html.ts';
import { icon } from './icons.ts';
import { profilePath, teamPath } from './paths.ts';

/** More members than these are shown only after a click. */
const MANY_MEMBERS = 30;

/** Returns links to teams. */
export function teamLinks(teams: readonly Team[]): Html {
  return html`<ul class="pills">${teams.map(({ name }) => html`<li><a href="${teamPath(name)}">${icon('team')}<span>${name}</span></a></li>`)}</ul>`;
}

/** Returns links to the pages of a team's members, which only signed-in viewers may see. */
export function memberLinks(members: readonly User[]): Html {
  if (members.length === 0) return html`<p class="quiet">This team has no members.</p>`;
  const list = html`<ul class="pills">${members.map(({ login, name }) => html`<li><a href="${profilePath(login)}">${icon('user')}<span>${login}${name !== null && html` <span class="quiet">${name}</span>`}</span></a></li>`)}</ul>`;
  return members.length <= MANY_MEMBERS
    ? list
    : html`<details><summary>${countOf(members.length, 'member', 'members')}</summary>${list}</details>`;
}
