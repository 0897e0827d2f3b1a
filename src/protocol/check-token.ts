/** Which tokens can be sent. Cargo Book: Registry Web API, "Authentication". */
import { TsregError } from '../errors/error.ts';
import { decodeApiErrors } from './api-answers.ts';

/** The error of an empty token; `hint` is how one is given. */
export function emptyToken(hint?: string): TsregError {
  return new TsregError('please provide a non-empty token', {
    code: 'auth',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The `Authorization` header for reading from a registry. Null for an empty token, for which cargo sends no header. */
export function authorizationOf(token: string): string | null {
  return token === '' ? null : token;
}

/** Throws cargo's words where `token` cannot stand in a header for reading. cargo sends an empty one as no header. */
export function checkReadToken(token: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(token))
    throw new TsregError('failed to parse header value', { code: 'auth' });
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

/** A token that a registry refused with status 401 or 403. */
export interface RefusedToken {
  /** Where it came from. */
  readonly origin: string;
  readonly token: string;
  /** The answer that refused it. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Uint8Array;
  };
}

/** Says where a refused token came from, and how it is given where the registry may want the scheme that it lacks. */
export function refusedTokenHint({ origin, token, response }: RefusedToken): string {
  const hint = `the refused token came from ${origin}`;
  const scheme = /\s/.test(token) ? null : missingScheme(response);
  return scheme === null
    ? hint
    : `${hint}; if the registry requires a scheme, the token is \`${scheme} TOKEN\``;
}

/** The scheme that a registry may want; null where it knows the Cargo Book: it says so, or words its errors as that has it. */
function missingScheme({ status, headers, body }: RefusedToken['response']): string | null {
  if (status !== 401 || decodeApiErrors(body) !== null) return null;
  const challenges = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
  const asked = challenges.map(([, value]) => value).join(', ');
  if (/\bcargo\b/i.test(asked)) return null;
  return /\bbasic\b/i.test(asked) && !/\bbearer\b/i.test(asked) ? 'Basic' : 'Bearer';
}
