/** Verifies JWTs about CI jobs: RFC 7515 and 7519, to the extent that OpenID Connect uses them. */
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWK,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  type ProtectedHeaderParameters,
} from 'jose';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';

/** The parts of a JWT that say which key verifies it. Anyone can write them. */
export interface UnverifiedJwt {
  /** Empty if the JWT names no issuer. */
  readonly issuer: string;
  readonly keyId: string | null;
}

/** The requirements for a JWT. */
export interface JwtRequirements {
  readonly issuer: string;
  /** The keys of the issuer. */
  readonly keys: readonly JWK[];
  /** The URL of this server. The audience must be its host or its origin. */
  readonly baseUrl: string;
  readonly nowMs: number;
}

/** A JWT with a valid signature, times and audience. */
export interface VerifiedJwt {
  readonly claims: JWTPayload;
  /** A time after which no server accepts the JWT, if its clock differs within the leeway. It may be before `exp`. */
  readonly expiresAtMs: number;
}

const ALGORITHMS = ['RS256', 'ES256'];
const MAX_CHARS = 16_384;
/** Tolerated difference between clocks. */
const LEEWAY_SECONDS = 60;
/** Maximum age of a JWT after it was issued, whatever its `exp` is. */
const MAX_AGE_SECONDS = 60 * 60;
/** The longest lifetime that a JWT may state. */
const MAX_STATED_LIFETIME_SECONDS = 24 * MAX_AGE_SECONDS;

/** Reads a JWT without verifying it. Throws `auth` for other texts, and for JWTs that no key could make acceptable. */
export function readJwt(text: string): UnverifiedJwt {
  if (text.length > MAX_CHARS) throw refuse('it is too long');
  const { iss, header } = decode(text);
  const { alg, kid, crit } = header;
  if (alg === undefined || !ALGORITHMS.includes(alg))
    throw refuse(`it must be signed with ${ALGORITHMS.join(' or ')}`);
  // RFC 7515, section 4.1.11: extensions in `crit` must be understood. JWTs of CI jobs have none.
  if (crit !== undefined) throw refuse('its header requires an extension (`crit`)');
  return { issuer: typeof iss === 'string' ? iss : '', keyId: kid ?? null };
}

/** Returns the header parameters and the `iss` of a JWT. Throws `auth` for other texts. */
function decode(text: string): { readonly iss: unknown; readonly header: ProtectedHeaderParameters } {
  try {
    const { iss } = decodeJwt(text);
    return { iss, header: decodeProtectedHeader(text) };
  } catch {
    throw refuse('it is not a signed JWT');
  }
}

/** Verifies a JWT that `readJwt` accepts. Throws `auth` if it does not meet the requirements. */
export async function verifyJwt(
  text: string,
  { issuer, keys, baseUrl, nowMs }: JwtRequirements,
): Promise<VerifiedJwt> {
  const { host, origin } = new URL(baseUrl);
  const options = {
    issuer,
    audience: [host, origin],
    // `maxTokenAge` requires `iat`.
    requiredClaims: ['exp'],
    algorithms: ALGORITHMS,
    currentDate: new Date(nowMs),
    clockTolerance: LEEWAY_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
  };
  let claims: JWTPayload;
  try {
    ({ payload: claims } = await verifyWithAnyKey(text, keys, options));
  } catch (error) {
    throw refuse(problemOf(error, host), error);
  }
  const exp = present(claims.exp, 'the end of a verified JWT');
  const iat = present(claims.iat, 'the start of a verified JWT');
  if (exp <= iat) throw refuse('it expires before it was issued');
  if (exp - iat > MAX_STATED_LIFETIME_SECONDS) throw refuse('it is valid for more than a day');
  // The checks above ignore fractions of the current second. The second leeway is for servers whose clocks are behind.
  const validSeconds = Math.ceil(Math.min(exp, iat + MAX_AGE_SECONDS)) + 2 * LEEWAY_SECONDS + 1;
  return { claims, expiresAtMs: validSeconds * 1000 };
}

/** Returns the error for a rejected JWT. */
export function refuse(problem: string, cause?: unknown): TsregError {
  return new TsregError(`the JWT was rejected: ${problem}`, { code: 'auth', cause });
}

/** Verifies a JWT with one of the keys that have its key ID and its algorithm. */
async function verifyWithAnyKey(
  text: string,
  keys: readonly JWK[],
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(text, createLocalJWKSet({ keys: [...keys] }), options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(text, key, options);
      } catch (problem) {
        if (isAboutClaims(problem)) throw problem;
      }
    }
    throw error;
  }
}

function isAboutClaims(error: unknown): error is errors.JWTExpired | errors.JWTClaimValidationFailed {
  return error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
}

/**
 * Explains why `jose` rejected a JWT. Other errors than those below are about its signature or the issuer's keys. The
 * reason `check_failed` means that the claim is there, but its value is not accepted.
 */
function problemOf(error: unknown, host: string): string {
  if (error instanceof errors.JWTExpired) return 'it is expired';
  if (!isAboutClaims(error)) return 'its signature is not valid';
  const { claim, reason } = error;
  if (claim === 'aud') return `its audience is not \`${host}\``;
  if (claim === 'exp') return 'it does not say when it expires';
  return claim === 'iat' && reason !== 'check_failed'
    ? 'it does not say when it was issued'
    : 'it is not valid yet';
}
