/** Signed statements of an issuer about a CI job: RFC 7515 and 7519, to the extent that OpenID Connect uses them. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { TsregError } from '../../core/errors/error.ts';
import { type Fields, fields } from '../../core/json/decode.ts';

/** A parsed JWT. Nothing in it can be trusted before `isSigned`. */
export interface Jwt {
  readonly algorithm: JwtAlgorithm;
  readonly keyId: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The signed bytes, as text. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** The supported signature algorithms. */
export type JwtAlgorithm = (typeof ALGORITHMS)[number];

/** A public key of an issuer, as in RFC 7517. */
export type PublicJwk = JsonWebKey & { readonly kid?: string; readonly alg?: string; readonly use?: string };

const ALGORITHMS = ['RS256', 'ES256'] as const;
const KEY_TYPES: Readonly<Record<JwtAlgorithm, string>> = { RS256: 'RSA', ES256: 'EC' };
const MIN_RSA_BITS = 2048;
const MAX_CHARS = 16_384;

/** Parses the three parts of a JWT. Throws `auth` for any other text and for other signature algorithms. */
export function parseJwt(text: string): Jwt {
  const parts = text.length > MAX_CHARS ? [] : text.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part)))
    throw refuse('it is not a signed JWT');
  const header = decodeObject(head);
  const claims = decodeObject(body);
  const { alg, kid, crit } = header;
  const algorithm = ALGORITHMS.find((known) => known === alg);
  if (algorithm === undefined) throw refuse(`it must be signed with ${ALGORITHMS.join(' or ')}`);
  if (crit !== undefined) throw refuse('it has extensions that are not known here');
  return {
    algorithm,
    keyId: typeof kid === 'string' ? kid : null,
    claims,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** Returns true if one of `keys` signed the JWT. Ignores weak keys, and keys of another ID, type or use. */
export function isSigned(jwt: Jwt, keys: readonly PublicJwk[]): boolean {
  const { algorithm, keyId } = jwt;
  return keys
    .filter(
      ({ kid, kty, alg, use }) =>
        (keyId === null || kid === keyId) &&
        kty === KEY_TYPES[algorithm] &&
        (alg === undefined || alg === algorithm) &&
        (use === undefined || use === 'sig'),
    )
    .some((key) => isSignedBy(key, jwt));
}

/** Returns the error for a rejected JWT. */
export function refuse(problem: string): TsregError {
  return new TsregError(`the JWT was rejected: ${problem}`, { code: 'auth' });
}

function isSignedBy(jwk: PublicJwk, { algorithm, signed, signature }: Jwt): boolean {
  try {
    const key = createPublicKey({ format: 'jwk', key: jwk });
    const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
    const isGood = algorithm === 'RS256' ? (modulusLength ?? 0) >= MIN_RSA_BITS : namedCurve === 'prime256v1';
    return isGood && verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    // The key is invalid.
    return false;
  }
}

function decodeObject(part: string): Fields {
  try {
    return fields(
      JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url'))),
    );
  } catch {
    throw refuse('it is not a signed JWT');
  }
}
