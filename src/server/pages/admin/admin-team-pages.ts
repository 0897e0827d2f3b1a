/** The admin pages of teams: their list, and one team with its members. */
import { MAX_TEAM_NAME_CHARS } from '../../auth/logins.ts';
import { teamLogin } from '../../store/team-login.ts';
import type { CountedTeam, TeamDetails } from '../../store/team-records.ts';
import type { User } from '../../store/values.ts';
import { adminLayout } from './admin-frame.ts';
import { countOf, formatCount, timeElement } from '../shared/format.ts';
import { field, noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html } from '../shared/html.ts';
import { csrfField, emptyState, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { adminTeamPath, teamPath, userPath, withQuery } from '../shared/paths.ts';

/** A part of the teams, and the form for a new one. */
export interface TeamsView {
  readonly teams: ListPart<CountedTeam>;
  /** The name in the form; empty before it is sent. */
  readonly name: string;
  readonly note: Note | null;
}

/** Returns the list of teams. */
export function teamsPage(frame: Frame, { teams: { list, page, pages }, name, note }: TeamsView): Html {
  return adminLayout(frame, {
    tab: 'teams',
    title: 'Teams',
    content: html`${noteElement(note)}
<p>A team is a group of users that can own crates. Its members can publish and yank versions of these crates.</p>
${
  list.total === 0
    ? emptyState('team', 'No teams yet', 'Create the first one below.')
    : html`<p>${countOf(list.total, 'team', 'teams')}. <a href="#new-team">Create a team</a></p>
<table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Created</th><th scope="col" class="number">Members</th><th scope="col" class="number">Crates</th></tr></thead>
<tbody>${list.items.map((team) => teamRow(frame, team))}</tbody></table>
${pager(page, pages, (other) => withQuery('/admin/teams', { page: other }))}`
}
<section aria-labelledby="new-team"><h2 id="new-team">New team</h2>
<form class="stack" method="post" action="/admin/teams">
${csrfField(frame)}
${field('Name', html`<input id="name" type="text" name="name" value="${name}" required maxlength="${MAX_TEAM_NAME_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint">`, { id: 'name', hint: html`It cannot be changed later. Owners of a crate add the team as <code>team:NAME</code>.` })}
<div><button>Create team</button></div>
</form></section>`,
  });
}

function teamRow(frame: Frame, { name, memberCount, crateCount, createdAtMs }: CountedTeam): Html {
  return html`<tr><td class="name"><a href="${adminTeamPath(name)}">${name}</a></td>
<td data-label="Created">${timeElement(createdAtMs, frame)}</td>
<td class="number" data-label="Members">${formatCount(memberCount)}</td>
<td class="number" data-label="Crates">${formatCount(crateCount)}</td></tr>
`;
}

/** The data of a team's admin page. */
export interface TeamView {
  readonly team: TeamDetails;
  /** The logins in the form for new members, separated by spaces; empty before it is sent. */
  readonly logins: string;
  readonly note: Note | null;
}

/** Returns the admin page of one team. */
export function adminTeamPage(frame: Frame, { team, logins, note }: TeamView): Html {
  const { name, members, crateCount } = team;
  const path = adminTeamPath(name);
  return adminLayout(frame, {
    tab: 'teams',
    title: `Team ${name}`,
    content: html`<p class="quiet"><code>${teamLogin(name)}</code>, created ${timeElement(team.createdAtMs, frame)}, owns <a href="${teamPath(name)}">${countOf(crateCount, 'crate', 'crates')}</a></p>
${noteElement(note)}
<section aria-labelledby="members"><h2 id="members">Members</h2>
${members.length === 0 ? html`<p class="quiet">This team has no members.</p>` : html`<ul class="rows card">${members.map((member) => memberRow(frame, { path, member }))}</ul>`}
<form class="row-form" method="post" action="${path}/members">
${csrfField(frame)}
${field('Add members', html`<input id="logins" type="text" name="logins" value="${logins}" required maxlength="2000" placeholder="Logins, separated by spaces" autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'logins' })}
<button>Add members</button>
</form></section>
<section aria-labelledby="deletion"><h2 id="deletion">Delete this team</h2>
${deletion(frame, team)}</section>`,
  });
}

function memberRow(frame: Frame, { path, member }: { readonly path: string; readonly member: User }): Html {
  const { login, name, isDisabled } = member;
  return html`<li><span class="name"><a href="${userPath(login)}">${login}</a>${name !== null && html` <span class="quiet">${name}</span>`}${isDisabled && html` <span class="badge bad">disabled</span>`}</span>
<form class="inline" method="post" action="${path}/members/remove">${csrfField(frame)}<input type="hidden" name="login" value="${login}"><button class="plain slim">Remove<span class="silent"> ${login}</span></button></form></li>`;
}

/** Returns the form that deletes a team, behind a first click. An admin must type the name of a team with crates. */
function deletion(frame: Frame, { name, crateCount }: TeamDetails): Html {
  const ownsCrates = crateCount > 0;
  const effect = ownsCrates
    ? `The team loses ${countOf(crateCount, 'crate', 'crates')}, whose other owners stay.`
    : 'The team owns no crates.';
  return html`<p>${effect} Its members keep their accounts, and what they published stays.</p>
<details class="act"><summary>Delete…<span class="silent"> team ${name}</span></summary>
<form class="confirm" method="post" action="${adminTeamPath(name)}/delete">
${csrfField(frame)}
${ownsCrates && field(html`Type <code>${name}</code> to confirm`, html`<input id="confirm" type="text" name="confirm" required autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'confirm' })}
<button class="danger">Delete team ${name}</button>
</form></details>`;
}
