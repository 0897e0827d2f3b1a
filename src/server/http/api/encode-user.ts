/** Users in responses, as on crates.io. */
import type { User } from '../../store/values.ts';

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
