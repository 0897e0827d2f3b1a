/** Trusted publishers: CI jobs that may publish without a permanent token. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { ChangeContext } from '../server-context.ts';
import type { Actor, Claim, Publisher } from '../store/values.ts';
import { isCratePattern } from '../auth/tokens.ts';
import { canonicalName } from '../store/canonical-name.ts';
import { isIssuerUrl } from './issuer-keys.ts';

/** A publisher to add. */
export interface PublisherRequest {
  readonly issuer: string;
  readonly claims: readonly Claim[];
  /** Crate names, or prefixes followed by `*`. */
  readonly cratePatterns: readonly string[];
  /** The user whose rights are used; null for the first owner of the first crate. */
  readonly login: string | null;
  /** The user who adds it; null for the command line. */
  readonly actor: Actor | null;
}

const MAX_CLAIMS = 20;
const MAX_PATTERNS = 50;
const MAX_NAME_CHARS = 100;
const MAX_VALUE_CHARS = 500;
/** Claims that every JWT has, or that do not identify the sender. */
const GENERAL_CLAIMS: readonly string[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

/** Parses `KEY=VALUE`. Returns null for other texts. */
export function parseClaim(text: string): Claim | null {
  const equals = text.indexOf('=');
  return equals < 1 ? null : { name: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim() };
}

/** Formats claims as `KEY=VALUE`, separated by spaces. */
export function describeClaims(claims: readonly Claim[]): string {
  return claims.map(({ name, value }) => `${name}=${value}`).join(' ');
}

/** Returns true if all patterns of a publisher are this crate's name. */
export function isOnlyFor({ cratePatterns }: Pick<Publisher, 'cratePatterns'>, crate: string): boolean {
  return cratePatterns.every((pattern) => canonicalName(pattern) === canonicalName(crate));
}

/** Returns false if no JWT can have both lists of claims. */
export function mayMatchSameJob(claims: readonly Claim[], others: readonly Claim[]): boolean {
  return claims.every(({ name, value }) =>
    others.every((other) => other.name !== name || haveCommonValue(value, other.value)),
  );
}

/** Returns false if no value of a claim can match both; a value may be a prefix followed by `*`. */
function haveCommonValue(a: string, b: string): boolean {
  // The same list has several spellings.
  if (a.startsWith('[') || b.startsWith('[')) return true;
  const matches = (value: string, required: string): boolean =>
    required.endsWith('*') ? value.startsWith(required.slice(0, -1)) : value === required;
  // Of two prefixes, the longer one is a value of the shorter one.
  return matches(a, b) || matches(b, a);
}

/** Returns true if both let the same jobs publish the same crates. The order of claims and crates does not matter. */
export function isSamePublisher(
  a: Pick<Publisher, 'issuer' | 'claims' | 'cratePatterns'>,
  b: Pick<Publisher, 'issuer' | 'claims' | 'cratePatterns'>,
): boolean {
  const partsOf = ({ issuer, claims, cratePatterns }: typeof a): string =>
    JSON.stringify([
      issuer,
      [...new Set(claims.map((claim) => describeClaims([claim])))].sort(),
      [...new Set(cratePatterns.map(canonicalName))].sort(),
    ]);
  return partsOf(a) === partsOf(b);
}

/** Adds a publisher. Throws `usage` if a value is invalid, the user does not exist, or the user has it already. */
export async function addPublisher(
  { records, clock }: ChangeContext,
  publisher: PublisherRequest,
): Promise<Publisher> {
  const problem = findPublisherProblem(publisher);
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const { issuer, claims, cratePatterns, actor } = publisher;
  const user = await findUser(records, publisher);
  const atMs = clock.now();
  const request = { issuer, claims, cratePatterns, userId: user.id, atMs, actor };
  const created = await records.createPublisher(request);
  if (created === null)
    throw new TsregError(`this publisher of \`${user.login}\` exists already`, { code: 'usage' });
  return created;
}

/** Returns the user whose rights a publisher uses. Throws `usage` if there is no such user or no owner yet. */
async function findUser(
  records: ChangeContext['records'],
  { login, cratePatterns }: PublisherRequest,
): Promise<Publisher['user']> {
  if (login !== null) {
    const user = await records.findUser(login);
    if (user === null) {
      throw new TsregError(`there is no user \`${login}\`: \`tsreg serve user ${login}\` creates one`, {
        code: 'usage',
      });
    }
    return user;
  }
  const first = present(cratePatterns[0], 'the crate of a checked publisher');
  const [owner] = (await records.listOwners(first)) ?? [];
  if (owner !== undefined) return owner;
  throw new TsregError(`there is no crate \`${first}\` yet: name the user that publishes it`, {
    code: 'usage',
  });
}

/** Returns the first problem of a publisher in plain English; null if there is none. */
export function findPublisherProblem({
  issuer,
  claims,
  cratePatterns,
}: Pick<PublisherRequest, 'issuer' | 'claims' | 'cratePatterns'>): string | null {
  if (!isIssuerUrl(issuer)) return `\`${issuer}\` is not the address of an issuer: expected \`https://HOST\``;
  if (cratePatterns.length === 0) return 'a publisher needs a crate';
  if (cratePatterns.length > MAX_PATTERNS) return `a publisher may have at most ${MAX_PATTERNS} crates`;
  const badPattern = cratePatterns.find((pattern) => !isCratePattern(pattern));
  if (badPattern !== undefined) {
    return `\`${badPattern}\` is neither the name of a crate nor a pattern such as \`my-*\``;
  }
  if (claims.length === 0) {
    return 'a publisher needs a claim: without one, every user of the issuer could publish';
  }
  if (claims.length > MAX_CLAIMS) return `a publisher may have at most ${MAX_CLAIMS} claims`;
  return claims.map(findClaimProblem).find((problem) => problem !== null) ?? null;
}

function findClaimProblem({ name, value }: Claim): string | null {
  if (name === '' || name.length > MAX_NAME_CHARS || /[\0-\x20\x7f=]/.test(name)) {
    return `\`${name}\` is not the name of a claim`;
  }
  if (GENERAL_CLAIMS.includes(name)) return `the claim \`${name}\` does not identify the publisher`;
  if (value === '' || value === '*')
    return `the claim \`${name}\` needs a value that identifies the publisher`;
  return value.length > MAX_VALUE_CHARS || /[\0-\x1f\x7f]/.test(value)
    ? `the value of the claim \`${name}\` is too long, or not one line`
    : null;
}
