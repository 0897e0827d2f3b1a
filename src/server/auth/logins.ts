/** Rules for logins. */

const MAX_LOGIN_CHARS = 64;

/** Returns the problem with a new login as a sentence; null if there is none. */
export function findLoginProblem(login: string): string | null {
  if (login === '') return 'A login is needed.';
  if (login.length > MAX_LOGIN_CHARS) return `The login is too long: at most ${MAX_LOGIN_CHARS} characters.`;
  return /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(login)
    ? null
    : 'A login may contain only letters, digits, `.`, `_`, `@` and `-`, and must begin with a letter or a digit.';
}
