/** Responses of built-in providers of stored tokens. */
import type { Secret } from '../config/secret.ts';
import type { ProvidedToken } from './credential-request.ts';

/** Returns the response of a provider whose token is valid for every operation of this process. */
export function sessionToken(token: Secret): ProvidedToken {
  return {
    kind: 'get',
    token,
    cache: 'session',
    expiration: null,
    isOperationIndependent: true,
  };
}
