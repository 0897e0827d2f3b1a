/** The logins of teams in lists of owners. No user has such a login, because those contain no colon. */
const PREFIX = 'team:';

/** Returns the login of a team: `team:NAME`. */
export function teamLogin(name: string): string {
  return `${PREFIX}${name}`;
}

/** Returns the name in the login of a team; null for the login of a user. */
export function teamNameOf(login: string): string | null {
  return login.slice(0, PREFIX.length).toLowerCase() === PREFIX ? login.slice(PREFIX.length) : null;
}
