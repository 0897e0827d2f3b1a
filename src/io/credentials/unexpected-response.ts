/** Responses of credential providers to another request. */
import { TsregError } from '../../core/errors/error.ts';
import type { CredentialAction, CredentialResponse, ProvidedToken } from './credential-request.ts';

/** Returns cargo's error for a provider's response that does not match the request. */
export function unexpectedResponse(
  requested: CredentialAction['kind'],
  response: CredentialResponse,
): TsregError {
  return new TsregError(
    `credential provider produced unexpected response for \`${requested}\` request: ${describeResponse(response)}`,
    { code: 'auth' },
  );
}

/** Describes a response in the form of Rust's `Debug`. */
function describeResponse(response: CredentialResponse): string {
  return response.kind === 'get' ? describeToken(response) : capitalize(response.kind);
}

function describeToken({ cache, expiration, isOperationIndependent }: ProvidedToken): string {
  const expirationText = expiration === null ? '' : ` { expiration: ${describeTime(expiration)} }`;
  return `Get { token: Secret { inner: "REDACTED" }, cache: ${capitalize(cache)}${expirationText}, operation_independent: ${isOperationIndependent} }`;
}

/** Returns seconds since 1970 as `1970-01-01 0:00:01.0 +00:00:00`: the hour has no leading zero. */
function describeTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  if (Number.isNaN(time.getTime())) return String(seconds);
  const [day = '', clock = ''] = time.toISOString().split('T');
  return `${day} ${clock.slice(0, 8).replace(/^0/, '')}.0 +00:00:00`;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
