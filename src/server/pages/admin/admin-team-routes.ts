/** `/admin/teams`: creates, changes and deletes teams. */
import { Hono } from 'hono';
import { findTeamNameProblem, MAX_TEAM_NAME_CHARS } from '../../auth/logins.ts';
import { type HttpEnv, routeParam } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { MembersChange, MembersOutcome } from '../../store/team-records.ts';
import { adminTeamPage, teamsPage } from './admin-team-pages.ts';
import { noTeamNamed } from '../shared/error-page.ts';
import { badNote, doneNote, type Note } from '../shared/form-parts.ts';
import {
  PageError,
  type PageHandlers,
  type PageServices,
  type UserPageRequest,
} from '../services/page-handlers.ts';
import { readPart } from '../shared/paging.ts';
import { adminTeamPath, withQuery } from '../shared/paths.ts';

const TEAMS_PER_PAGE = 50;
/** Maximum number of logins in one form. */
const MAX_LOGINS = 50;
/** Messages show no more of a login that the user typed. */
const MAX_SHOWN_CHARS = 100;

/** The outcome of a change of a team that exists. */
type TeamOutcome = Exclude<MembersOutcome, { kind: 'no-team' }>;

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  made: 'Team created. Now add its members.',
  added: 'Members added.',
  removed: 'Member removed.',
  deleted: 'Team deleted.',
};

/** Returns the routes of `/admin/teams` and its forms. */
export function adminTeamRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const teams = new TeamAdministration(context);
  return new Hono<HttpEnv>()
    .get(
      '/admin/teams',
      handlers.admin((request) => teams.showAll(request, { name: '', note: noteOf(request) })),
    )
    .post(
      '/admin/teams',
      handlers.adminForm((request, form) => teams.create(request, form)),
    )
    .get(
      '/admin/teams/:name',
      handlers.admin((request) => teams.showOne(request, { logins: '', note: noteOf(request) })),
    )
    .post(
      '/admin/teams/:name/members',
      handlers.adminForm((request, form) => teams.addMembers(request, form)),
    )
    .post(
      '/admin/teams/:name/members/remove',
      handlers.adminForm((request, form) => teams.removeMember(request, form)),
    )
    .post(
      '/admin/teams/:name/delete',
      handlers.adminForm((request, form) => teams.delete(request, form)),
    );
}

class TeamAdministration {
  readonly #records: ServerContext['records'];
  readonly #clock: ServerContext['clock'];

  constructor({ records, clock }: ServerContext) {
    this.#records = records;
    this.#clock = clock;
  }

  async showAll(
    { c, frame, show }: UserPageRequest,
    { name, note }: { readonly name: string; readonly note: Note | null },
  ): Promise<Response> {
    const teams = await readPart(c, TEAMS_PER_PAGE, (page) => this.#records.listTeams(page));
    return show(teamsPage(frame, { teams, name, note }), statusOf(note));
  }

  async showOne(
    { c, frame, show }: UserPageRequest,
    { logins, note }: { readonly logins: string; readonly note: Note | null },
  ): Promise<Response> {
    const name = routeParam(c, 'name');
    const team = await this.#records.findTeam(name);
    if (team === null) throw new PageError(noTeamNamed(name));
    return show(adminTeamPage(frame, { team, logins, note }), statusOf(note));
  }

  async create(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const name = (form.get('name') ?? '').trim();
    const refuse = (problem: string): Promise<Response> =>
      this.showAll(request, { name: name.slice(0, MAX_TEAM_NAME_CHARS), note: badNote(problem) });
    const problem = findTeamNameProblem(name);
    if (problem !== null) return refuse(problem);
    const { records, actor } = request;
    const outcome = await records.createTeam({ name, atMs: this.#clock.now(), actor });
    switch (outcome.kind) {
      case 'taken':
        return refuse(`The name “${name}” is taken.`);
      case 'too-many':
        return refuse(`A registry can have at most ${outcome.max} teams.`);
      case 'created':
        return request.goTo(withQuery(adminTeamPath(name), { done: 'made' }));
    }
  }

  async addMembers(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const text = form.get('logins') ?? '';
    const logins = text.split(/[\s,]+/).filter((login) => login !== '');
    if (logins.length === 0 || logins.length > MAX_LOGINS) {
      const problem =
        logins.length === 0 ? 'Name at least one user.' : `Add at most ${MAX_LOGINS} members at once.`;
      return this.showOne(request, { logins: '', note: badNote(problem) });
    }
    const outcome = await this.#change(request, { action: 'add', logins });
    const problem = describeProblem(outcome, 'Everyone you named is already a member.');
    if (problem !== null) return this.showOne(request, { logins: text, note: badNote(problem) });
    return goToTeam(request, 'added');
  }

  async removeMember(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const outcome = await this.#change(request, { action: 'remove', logins: [form.get('login') ?? ''] });
    const problem = describeProblem(outcome, null);
    if (problem !== null) return this.showOne(request, { logins: '', note: badNote(problem) });
    return goToTeam(request, 'removed');
  }

  /** Deletes the team in the path. A team that owns crates needs its name as confirmation. */
  async delete(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const { records, actor, c } = request;
    const name = routeParam(c, 'name');
    const mayOwnCrates = (form.get('confirm') ?? '').trim().toLowerCase() === name.toLowerCase();
    const outcome = await records.deleteTeam({ name, mayOwnCrates, atMs: this.#clock.now(), actor });
    switch (outcome.kind) {
      case 'no-team':
        throw new PageError(noTeamNamed(name));
      case 'owns-crates': {
        const note = badNote('Nothing was deleted: type the name of the team to confirm.');
        return this.showOne(request, { logins: '', note });
      }
      case 'deleted':
        return request.goTo('/admin/teams?done=deleted');
    }
  }

  /** Adds or removes members. Throws `PageError` if the team does not exist. */
  async #change(
    { c, records, actor }: UserPageRequest,
    { action, logins }: Pick<MembersChange, 'action' | 'logins'>,
  ): Promise<TeamOutcome> {
    const team = routeParam(c, 'name');
    const outcome = await records.changeMembers({ team, action, logins, atMs: this.#clock.now(), actor });
    if (outcome.kind === 'no-team') throw new PageError(noTeamNamed(team));
    return outcome;
  }
}

/**
 * Returns the sentence that explains why no member was added or removed; null if one was. `unchanged` is that sentence
 * if nothing had to be done; null if this is no problem.
 */
function describeProblem(outcome: TeamOutcome, unchanged: string | null): string | null {
  switch (outcome.kind) {
    case 'no-user':
      return `There is no user “${outcome.login.slice(0, MAX_SHOWN_CHARS)}”.`;
    case 'not-a-member':
      return `${outcome.login.slice(0, MAX_SHOWN_CHARS)} is not a member.`;
    case 'too-many':
      return `A team can have at most ${outcome.max} members.`;
    case 'changed':
      return outcome.changed.length === 0 ? unchanged : null;
  }
}

function goToTeam({ c, goTo }: UserPageRequest, done: string): Response {
  return goTo(withQuery(adminTeamPath(routeParam(c, 'name')), { done }));
}

function noteOf({ c }: UserPageRequest): Note | null {
  return doneNote(DONE, c.req.query('done'));
}

function statusOf(note: Note | null): 200 | 422 {
  return note?.kind === 'bad' ? 422 : 200;
}
