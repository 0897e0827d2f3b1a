/** Tokens that stay what they are. */
import type { Secret } from '../config/secret.ts';
import type { ProvidedToken } from './credential-request.ts';

/** The answer of a provider whose one token serves every operation for as long as this process runs. */
export function sessionToken(token: Secret): ProvidedToken {
  return {
    kind: 'get',
    token,
    cache: 'session',
    expiration: null,
    isOperationIndependent: true,
  };
}
