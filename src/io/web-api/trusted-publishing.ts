/** Tokens for CI jobs. Not in the Cargo Book: the protocol of crates.io and compatible registries. */
import { TsregError } from '../../core/errors/error.ts';
import type { HttpRequest } from '../http/message.ts';
import type { Transport } from '../http/transport.ts';
import { checkToken } from '../../core/protocol/check-token.ts';
import { decodeJson, field, orElse, text } from '../../core/json/decode.ts';
import { apiUrl } from './api-url.ts';
import { readResponse } from './read-response.ts';
import type { Token } from './web-api.ts';

/** The registry, and the way to access it. */
export interface TokenService {
  readonly transport: Transport;
  /** `api` of the index's `config.json`. */
  readonly host: string;
  /** Null for the user agent of the transport. */
  readonly userAgent: string | null;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * Exchanges a JWT for a token that is valid for some minutes. Rejects with an `ApiError` if the registry rejects it,
 * and with a `CurlError` if there is no response.
 */
export async function exchangeIdentity(jwt: Token, service: TokenService): Promise<string> {
  const body = Buffer.from(JSON.stringify({ jwt: jwt.expose() }));
  const response = await send({ method: 'POST', body }, jwt, service);
  const token = readSecretField(response, 'token');
  if (token === null || token === '') {
    throw new TsregError('the response of the registry has no token', { code: 'network' });
  }
  checkToken(token);
  return token;
}

/** Revokes a token of `exchangeIdentity`, and rejects as that does. */
export async function revokeToken(token: Token, service: TokenService): Promise<void> {
  await send({ method: 'DELETE', headers: { Authorization: `Bearer ${token.expose()}` } }, token, service);
}

/** Returns a string field of a secret document; null if there is none. No error quotes the document. */
export function readSecretField(document: Uint8Array, name: string): string | null {
  try {
    return decodeJson(field(name, orElse(text, null)), document, { subject: 'response' });
  } catch (error) {
    if (error instanceof TsregError) return null;
    throw error;
  }
}

interface TokenRequest {
  readonly method: 'POST' | 'DELETE';
  readonly body?: Uint8Array;
  readonly headers?: HttpRequest['headers'];
}

/** Sends a request with a secret, which no error quotes. Returns the body of a successful response. */
async function send(
  { headers = {}, ...request }: TokenRequest,
  secret: Token,
  { transport, host, userAgent }: TokenService,
): Promise<Buffer> {
  const response = await transport.send(
    {
      ...request,
      url: apiUrl(host, '/trusted_publishing/tokens'),
      headers: {
        ...(userAgent === null ? {} : { 'user-agent': userAgent }),
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...headers,
      },
      maxBytes: MAX_RESPONSE_BYTES,
    },
    { isOnce: true },
  );
  return readResponse(response, { isWhole: false, secret: secret.expose() });
}
