/** Users and teams in responses, as on crates.io. */
import { teamLogin } from '../../store/team-login.ts';
import type { Team, User } from '../../store/values.ts';

/** Returns a user for a response. `baseUrl` is that of the server. */
export function encodeUser(
  { id, login, name }: Pick<User, 'id' | 'login' | 'name'>,
  baseUrl: string,
): object {
  return { id, login, name, avatar: null, url: `${baseUrl}/users/${encodeURIComponent(login)}` };
}

/** Returns an owner for a response. */
export function encodeOwner(user: User, baseUrl: string): object {
  return { ...encodeUser(user, baseUrl), kind: 'user' };
}

/** Returns a team for a response. */
export function encodeTeam({ id, name }: Team, baseUrl: string): object {
  const url = `${baseUrl}/teams/${encodeURIComponent(name)}`;
  return { id, login: teamLogin(name), name, avatar: null, url };
}

/** Returns a team that owns a crate for a response. */
export function encodeOwnerTeam(team: Team, baseUrl: string): object {
  return { ...encodeTeam(team, baseUrl), kind: 'team' };
}
