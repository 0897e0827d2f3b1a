/** Creates tokens from the command line. */
import { TsregError } from '../../core/errors/error.ts';
import { findLoginProblem } from '../auth/logins.ts';
import type { ChangeContext } from '../server-context.ts';
import type { TokenScope, User } from '../store/values.ts';
import { isCratePattern, makeSecret, MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../auth/tokens.ts';

/** A token to create. */
export interface TokenOrder {
  readonly login: string;
  readonly name: string;
  /** Empty for all scopes. */
  readonly scopes: readonly TokenScope[];
  /** Crate names, or prefixes followed by `*`; empty for every crate. */
  readonly cratePatterns: readonly string[];
  /** null for a token that does not expire. */
  readonly expiresAfterMs: number | null;
}

/**
 * Creates a token, and its user if necessary. Returns the secret, which is not stored. Throws `usage` for invalid
 * values, `auth` for a disabled user.
 */
export async function makeToken(
  { records, clock }: ChangeContext,
  { login, name, scopes, cratePatterns, expiresAfterMs }: TokenOrder,
): Promise<string> {
  if (name.length > MAX_TOKEN_NAME_CHARS) {
    throw new TsregError(`the name of a token may have at most ${MAX_TOKEN_NAME_CHARS} characters`, {
      code: 'usage',
    });
  }
  const bad = cratePatterns.find((pattern) => !isCratePattern(pattern));
  if (bad !== undefined) {
    const message = `\`${bad}\` is neither the name of a crate nor a pattern such as \`my-*\``;
    throw new TsregError(message, { code: 'usage' });
  }
  const atMs = clock.now();
  const user = await findOrMakeUser({ records, clock }, login);
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
    crate: null,
    version: null,
    subject: user.login,
    detail: name,
  });
  return secret;
}

/** Returns the user with this login; creates it if necessary. Throws `usage` for an invalid login. */
export async function findOrMakeUser({ records, clock }: ChangeContext, login: string): Promise<User> {
  const known = await records.findUser(login);
  if (known !== null) return known;
  const problem = findLoginProblem(login);
  if (problem !== null) throw new TsregError(problem, { code: 'usage' });
  const atMs = clock.now();
  const made = await records.createUser({ login, name: null, isAdmin: false, atMs });
  if (made !== null) {
    await records.addAudit({
      atMs,
      actor: null,
      action: 'make-user',
      tokenId: null,
      crate: null,
      version: null,
      subject: made.login,
      detail: null,
    });
    return made;
  }
  // Another process has created the user in the meantime.
  const other = await records.findUser(login);
  if (other === null) throw new TsregError(`user \`${login}\` cannot be created`, { code: 'bug' });
  return other;
}
