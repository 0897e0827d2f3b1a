/** Rules for the logins of users and the names of teams. */

/** Maximum length of a login. */
export const MAX_LOGIN_CHARS = 64;
/** Maximum length of a team's name. With its prefix, it is shorter than a login may be. */
export const MAX_TEAM_NAME_CHARS = 50;

/** Returns the problem with a new login as a sentence; null if there is none. */
export function findLoginProblem(login: string): string | null {
  if (login === '') return 'A login is needed.';
  if (login.length > MAX_LOGIN_CHARS) return `The login is too long: at most ${MAX_LOGIN_CHARS} characters.`;
  return /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(login)
    ? null
    : 'A login may contain only letters, digits, `.`, `_`, `@` and `-`, and must begin with a letter or a digit.';
}

/** Returns the problem with the name of a new team as a sentence; null if there is none. */
export function findTeamNameProblem(name: string): string | null {
  if (name === '') return 'A name is needed.';
  if (name.length > MAX_TEAM_NAME_CHARS)
    return `The name is too long: at most ${MAX_TEAM_NAME_CHARS} characters.`;
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)
    ? null
    : 'The name of a team may contain only letters, digits, `.`, `_` and `-`, and must begin with a letter or a digit.';
}
