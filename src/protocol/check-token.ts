/** Which tokens can be sent. Cargo Book: Registry Web API, "Authentication". */
import { TsregError } from '../errors/error.ts';

/** The error of an empty token; `hint` is how one is given. */
export function emptyToken(hint?: string): TsregError {
  return new TsregError('please provide a non-empty token', {
    code: 'auth',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Throws cargo's words unless `token` can stand in a header: a line break in it would be the start of another one. */
export function checkToken(token: string): void {
  if (token === '') throw emptyToken();
  if (/^[\t\x20-\x7e]+$/.test(token)) return;
  throw new TsregError(
    'token contains invalid characters.\nOnly printable ISO-8859-1 characters are allowed as it is sent in a HTTPS header.',
    { code: 'auth' },
  );
}

/** What helps where a registry refused a token that came from `origin`. */
export function refusedTokenHint(origin: string): string {
  return `the token that was refused came from ${origin}`;
}
