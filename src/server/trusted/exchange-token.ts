/** Exchanges the JWT of a CI job for a short-lived token. */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { escapeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import type { ServerContext } from '../server-context.ts';
import type { Actor, Claim, Publisher, Token } from '../store/values.ts';
import { makeSecret, MAX_TOKEN_NAME_CHARS } from '../auth/tokens.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { readJwt, refuse, verifyJwt } from './jwt.ts';
import { describeClaims } from './publishers.ts';

const TOKEN_LIFETIME_MS = 30 * 60_000;
/** Maximum length of a text of the JWT in messages. */
const MAX_SHOWN_CHARS = 200;

/** The new token and its secret. */
export interface ExchangedToken {
  readonly secret: string;
  readonly token: Token;
}

/**
 * Creates a token for the crates of all publishers that the JWT matches. Throws `auth` if the JWT is invalid, already
 * used or matches no publisher, and `IssuerAway` if the issuer's keys cannot be fetched. Contacts only issuers of
 * known publishers.
 */
export async function exchangeToken(
  { records, settings, clock }: ServerContext,
  { text, keys }: { readonly text: string; readonly keys: IssuerKeys },
): Promise<ExchangedToken> {
  const { issuer, keyId } = readJwt(text);
  const publishers = await records.listPublishers({ issuer });
  if (publishers.length === 0) throw refuse(`its issuer \`${printable(issuer)}\` is not known here`);
  const keysOfIssuer = await keys.find(issuer, keyId);
  const nowMs = clock.now();
  const requirements = { issuer, keys: keysOfIssuer, baseUrl: settings.baseUrl, nowMs };
  const { claims: jwtClaims, expiresAtMs } = await verifyJwt(text, requirements);
  const matching = publishers.filter(({ claims }) => claims.every((claim) => hasClaim(jwtClaims, claim)));
  const { user, claims, cratePatterns } = grantedRights(matching, jwtClaims);
  const ids = matching.map(({ id }) => id);
  const actor: Actor = { user, token: null, credential: { kind: 'publishers', ids } };
  const key = assertionKey(text, jwtClaims);
  if (!(await records.useAssertion({ key, expiresAtMs, atMs: nowMs }))) {
    throw refuse('it has been used already');
  }
  const { secret, hash, prefix } = makeSecret();
  const token = await records.authorize(actor, clock).createToken({
    userId: user.id,
    name: `trusted publishing: ${describeClaims(claims)}`.slice(0, MAX_TOKEN_NAME_CHARS),
    hash,
    prefix,
    cratePatterns,
    issuer,
    scopes: ['read', 'publish-new', 'publish-update'],
    createdAtMs: nowMs,
    expiresAtMs: nowMs + TOKEN_LIFETIME_MS,
  });
  await records.addAudit({
    atMs: nowMs,
    actor: user.login,
    tokenId: token.id,
    action: 'make-token',
    subject: user.login,
    detail: `trusted publishing, ${issuer}: ${printable(subjectOf(jwtClaims))}`,
  });
  return { secret, token };
}

/** The user and crates that a JWT gives access to. */
type GrantedRights = Pick<Publisher, 'user' | 'claims' | 'cratePatterns'>;

/**
 * Returns the user and the crates of all matching publishers, and the claims of the first one. Throws `auth` unless they
 * have one enabled user.
 */
function grantedRights(publishers: readonly Publisher[], jwtClaims: JWTPayload): GrantedRights {
  const [first] = publishers;
  if (first === undefined)
    throw refuse(`no publisher matches it (\`sub\` is \`${printable(subjectOf(jwtClaims))}\`)`);
  if (publishers.some(({ user }) => user.id !== first.user.id)) {
    throw refuse('it matches publishers of several users: give all of them the same');
  }
  if (first.user.isDisabled) throw refuse(`user \`${first.user.login}\` is disabled`);
  return {
    user: first.user,
    claims: first.claims,
    cratePatterns: [...new Set(publishers.flatMap(({ cratePatterns }) => cratePatterns))],
  };
}

/** Returns true if the JWT has the required value, which may be a list, or a prefix followed by `*`. */
function hasClaim(claims: JWTPayload, { name, value: required }: Claim): boolean {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const list = asList(required);
  // Matching one member of a list would be unsafe: anyone might have that member.
  if (list !== null || Array.isArray(value)) return list !== null && isSameList(list, value);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  return required.endsWith('*') ? text.startsWith(required.slice(0, -1)) : text === required;
}

/** Parses the required value of a list claim, such as `["a","b"]`; null for other claims. Lists must be identical. */
function asList(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isSameList(list: readonly unknown[], value: unknown): boolean {
  return Array.isArray(value) && JSON.stringify(value) === JSON.stringify(list);
}

/** Returns a key for the `jti`, or else for the signed text: another encoding of the signature gives the same key. */
function assertionKey(text: string, { iss, jti }: JWTPayload): string {
  const signed = text.slice(0, text.lastIndexOf('.'));
  const identity = typeof jti === 'string' && jti !== '' ? `jti ${jti}` : `jwt ${signed}`;
  return createHash('sha256').update(`${iss}\n${identity}`).digest('hex');
}

function subjectOf({ sub }: JWTPayload): string {
  return typeof sub === 'string' ? sub : '';
}

/** Escapes a text of the JWT for a message. */
function printable(text: string): string {
  return escapeForTerminal(text).slice(0, MAX_SHOWN_CHARS);
}
