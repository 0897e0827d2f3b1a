/** A JWT of a CI job becomes a token that is good for some minutes. */
import { createHash } from 'node:crypto';
import type { ServerContext } from '../server-context.ts';
import type { Actor, Claim, Publisher, Token } from '../store-values.ts';
import { makeSecret, MAX_TOKEN_NAME_CHARS } from '../tokens.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { isSigned, type Jwt, parseJwt, refuse } from './jwt.ts';
import { describeClaims } from './publishers.ts';

const TOKEN_LIFETIME_MS = 30 * 60_000;
/** How much clocks may differ. */
const LEEWAY_MS = 60_000;
/** A JWT is good for no longer after it was issued, whatever it says itself; and refused if it says far more. */
const MAX_AGE_MS = 60 * 60_000;
const MAX_SAID_LIFETIME_MS = 24 * MAX_AGE_MS;
const MAX_SHOWN_CHARS = 200;

/** What a job gets. */
export interface ExchangedToken {
  readonly secret: string;
  readonly token: Token;
}

/**
 * Makes a token for the crates of all publishers that the JWT matches. Throws `auth` for one that is not good, has
 * been used or matches none, and `network` where the issuer's keys cannot be had; issuers that no publisher has are
 * never asked.
 */
export async function exchangeToken(
  { records, settings, clock }: Pick<ServerContext, 'records' | 'settings' | 'clock'>,
  { text, keys }: { readonly text: string; readonly keys: IssuerKeys },
): Promise<ExchangedToken> {
  const jwt = parseJwt(text);
  const { iss } = jwt.claims;
  const issuer = typeof iss === 'string' ? iss : '';
  const known = await records.listPublishers({ issuer });
  if (known.length === 0) throw refuse(`its issuer \`${shown(issuer)}\` is not known here`);
  if (!isSigned(jwt, await keys.find(issuer, jwt.keyId))) throw refuse('its signature is not valid');
  const nowMs = clock.now();
  const expiresAtMs = checkTimes(jwt, nowMs);
  checkAudience(jwt, new URL(settings.baseUrl));
  const matching = known.filter(({ claims }) => claims.every((claim) => hasClaim(jwt, claim)));
  const { user, cratePatterns } = combine(matching, jwt);
  const ids = matching.map(({ id }) => id);
  const actor: Actor = { user, token: null, credential: { kind: 'publishers', ids } };
  if (!(await records.useAssertion({ key: assertionKey(issuer, jwt), expiresAtMs, atMs: nowMs }))) {
    throw refuse('it has been used already');
  }
  const { secret, hash, prefix } = makeSecret();
  const token = await records.authorize(actor, clock).createToken({
    userId: user.id,
    name: `trusted publishing: ${describeClaims(matching[0]?.claims ?? [])}`.slice(0, MAX_TOKEN_NAME_CHARS),
    ...{ hash, prefix, cratePatterns, issuer },
    scopes: ['read', 'publish-new', 'publish-update'],
    createdAtMs: nowMs,
    expiresAtMs: nowMs + TOKEN_LIFETIME_MS,
  });
  await records.addAudit({
    ...{ atMs: nowMs, actor: user.login, tokenId: token.id, action: 'make-token' },
    ...{ crate: null, version: null, subject: user.login },
    detail: `trusted publishing, ${issuer}: ${shown(subjectOf(jwt))}`,
  });
  return { secret, token };
}

/** All crates of the publishers that match, in the name of their one user. */
function combine(
  publishers: readonly Publisher[],
  jwt: Jwt,
): { readonly user: Publisher['user']; readonly cratePatterns: readonly string[] } {
  const [first] = publishers;
  if (first === undefined) throw refuse(`no publisher matches it (\`sub\` is \`${shown(subjectOf(jwt))}\`)`);
  if (publishers.some(({ user }) => user.id !== first.user.id)) {
    throw refuse('it matches publishers of several users: give all of them the same');
  }
  if (first.user.isDisabled) throw refuse(`user \`${first.user.login}\` is disabled`);
  return {
    user: first.user,
    cratePatterns: [...new Set(publishers.flatMap(({ cratePatterns }) => cratePatterns))],
  };
}

function checkTimes({ claims: { exp, nbf, iat } }: Jwt, nowMs: number): number {
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw refuse('it does not say when it expires');
  if (typeof iat !== 'number' || !Number.isFinite(iat)) throw refuse('it does not say when it was issued');
  const expiresAtMs = Math.min(exp * 1000, iat * 1000 + MAX_AGE_MS) + LEEWAY_MS;
  if (expiresAtMs <= nowMs) throw refuse('it is expired');
  const isEarly = (time: unknown): boolean =>
    time !== undefined && !(typeof time === 'number' && time * 1000 <= nowMs + LEEWAY_MS);
  if (isEarly(nbf) || isEarly(iat)) throw refuse('it is not valid yet');
  if (exp <= iat) throw refuse('it expires before it was issued');
  if ((exp - iat) * 1000 > MAX_SAID_LIFETIME_MS) throw refuse('it is valid for more than a day');
  // Seconds may have fractions, which milliseconds in the store have not.
  return Math.ceil(expiresAtMs);
}

/** It must be meant for this server, by its host or its address. */
function checkAudience({ claims: { aud } }: Jwt, { host, origin }: URL): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (audiences.includes(host) || audiences.includes(origin)) return;
  throw refuse(`its audience is not \`${host}\``);
}

function hasClaim({ claims }: Jwt, { name, value: wanted }: Claim): boolean {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const list = asList(wanted);
  // Of several members any could be one that anybody may have.
  if (list !== null || Array.isArray(value)) return list !== null && isSameList(list, value);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  const text = String(value);
  return wanted.endsWith('*') ? text.startsWith(wanted.slice(0, -1)) : text === wanted;
}

/** What a claim that is a list must be, to the letter: `["a","b"]`. */
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

/** The same for one JWT however its signature is written; by its number where it has one. */
function assertionKey(issuer: string, { claims: { jti }, signed }: Jwt): string {
  const what = typeof jti === 'string' && jti !== '' ? `jti ${jti}` : `jwt ${signed}`;
  return createHash('sha256').update(`${issuer}\n${what}`).digest('hex');
}

function subjectOf({ claims: { sub } }: Jwt): string {
  return typeof sub === 'string' ? sub : '';
}

function shown(text: string): string {
  return text.replaceAll(/[\0-\x1f\x7f]/g, '\ufffd').slice(0, MAX_SHOWN_CHARS);
}
