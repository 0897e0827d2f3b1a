/** Checks that tokens can be sent. Cargo Book: Registry Web API, "Authentication". */
import { TsregError } from '../errors/error.ts';
import { decodeApiErrors } from './api-responses.ts';

/** Returns the error for an empty token; `hint` explains how to pass one. */
export function emptyToken(hint?: string): TsregError {
  return new TsregError('please provide a non-empty token', {
    code: 'auth',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Returns the `Authorization` header for reads. Null for an empty token, for which cargo sends no header. */
export function authorizationOf(token: string): string | null {
  return token === '' ? null : token;
}

/** Throws cargo's `auth` error if `token` is invalid in a header for reads. An empty one is valid. */
export function checkReadToken(token: string): void {
  if (!/[\0-\x08\x0a-\x1f\x7f]/.test(token)) return;
  throw new TsregError('failed to parse header value', { code: 'auth' });
}

/**
 * Throws cargo's `auth` error if `token` is invalid in a header. A line break would start another header. `origin` is
 * the source of the token, as messages name it; null if unknown.
 */
export function checkToken(token: string, origin: string | null = null): void {
  const hint = origin === null ? undefined : `the token came from ${origin}`;
  if (token === '') throw emptyToken(hint);
  if (/^[\t\x20-\x7e]+$/.test(token)) return;
  throw new TsregError(
    'token contains invalid characters.\nOnly printable ISO-8859-1 characters are allowed as it is sent in a HTTPS header.',
    { code: 'auth', ...(hint === undefined ? {} : { hint }) },
  );
}

/** A token that a registry rejected with status 401 or 403. */
export interface RefusedToken {
  /** The source of the token, as messages name it. */
  readonly origin: string;
  readonly token: string;
  /** The response that rejected it. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Uint8Array;
  };
}

/** Returns a hint that names the source of a rejected token, and the scheme that it may lack. */
export function refusedTokenHint({ origin, token, response }: RefusedToken): string {
  const hint = `the refused token came from ${origin}`;
  const scheme = /\s/.test(token) ? null : missingScheme(response);
  return scheme === null
    ? hint
    : `${hint}; if the registry requires a scheme, the token is \`${scheme} TOKEN\``;
}

/** Returns the scheme that a registry may require; null if its challenge or errors follow the Cargo Book. */
function missingScheme({ status, headers, body }: RefusedToken['response']): string | null {
  if (status !== 401 || decodeApiErrors(body) !== null) return null;
  const challenges = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
  const requested = challenges.map(([, value]) => value).join(', ');
  if (/\bcargo\b/i.test(requested)) return null;
  return /\bbasic\b/i.test(requested) && !/\bbearer\b/i.test(requested) ? 'Basic' : 'Bearer';
}
