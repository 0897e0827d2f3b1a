/** Creates tokens from the command line. */
import { TsregError } from '../../core/errors/error.ts';
import { findLoginProblem } from '../auth/logins.ts';
import type { ChangeContext } from '../server-context.ts';
import type { TokenScope, User } from '../store/values.ts';
import { isCratePattern, makeSecret, MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../auth/tokens.ts';

/** 999,999 days. More would lead to years that no format of a time has. */
const MAX_LIFETIME_MS = 999_999 * 24 * 60 * 60 * 1000;

/** A token to create. */
export interface TokenRequest {
  readonly login: string;
  readonly name: string;
  /** Empty for all scopes. */
  readonly scopes: readonly TokenScope[];
  /** Crate names, or prefixes followed by `*`; empty for every crate. */
  readonly cratePatterns: readonly string[];
  /** Positive, and at most `MAX_LIFETIME_MS`; null for a token that does not expire. */
  readonly expiresAfterMs: number | null;
}

/**
 * Creates a token, and its user if necessary. Returns the secret, which is not stored. Throws `usage` for invalid
 * values, `auth` for a disabled user.
 */
export async function makeToken(
  { records, clock }: ChangeContext,
  { login, name, scopes, cratePatterns, expiresAfterMs }: TokenRequest,
): Promise<string> {
  if (name.length > MAX_TOKEN_NAME_CHARS) {
    throw new TsregError(`the name of a token may have at most ${MAX_TOKEN_NAME_CHARS} characters`, {
      code: 'usage',
    });
  }
  if (expiresAfterMs !== null && expiresAfterMs > MAX_LIFETIME_MS) {
    throw new TsregError('the lifetime of a token may be at most 999999 days', { code: 'usage' });
  }
  const invalid = cratePatterns.find((pattern) => !isCratePattern(pattern));
  if (invalid !== undefined) {
    const message = `\`${invalid}\` is neither the name of a crate nor a pattern such as \`my-*\``;
    throw new TsregError(message, { code: 'usage' });
  }
  const atMs = clock.now();
  const user = await findOrCreateUser({ records, clock }, login);
  if (user.isDisabled) {
    throw new TsregError(
      `user \`${user.login}\` is disabled: \`tsreg serve user ${user.login} --enable\` enables it`,
      { code: 'auth' },
    );
  }
  const { secret, hash, prefix } = makeSecret();
  const token = await records.createToken({
    userId: user.id,
    name,
    hash,
    prefix,
    scopes: scopes.length === 0 ? TOKEN_SCOPES : scopes,
    cratePatterns,
    createdAtMs: atMs,
    expiresAtMs: expiresAfterMs === null ? null : atMs + expiresAfterMs,
  });
  await records.addAudit({
    atMs,
    actor: null,
    action: 'make-token',
    tokenId: token.id,
    subject: user.login,
    detail: name,
  });
  return secret;
}

/** Returns the user with this login; creates it if necessary. Throws `usage` for an invalid login. */
export async function findOrCreateUser({ records, clock }: ChangeContext, login: string): Promise<User> {
  const existing = await records.findUser(login);
  if (existing !== null) return existing;
  const problem = findLoginProblem(login);
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const atMs = clock.now();
  const created = await records.createUser({ login, name: null, isAdmin: false, atMs });
  if (created !== null) {
    await records.addAudit({
      atMs,
      actor: null,
      action: 'make-user',
      subject: created.login,
    });
    return created;
  }
  // Another process has created the user in the meantime.
  const other = await records.findUser(login);
  if (other === null) throw new TsregError(`user \`${login}\` cannot be created`, { code: 'bug' });
  return other;
}
