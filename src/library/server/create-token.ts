/** Tokens of a registry. */
import { TsregError } from '../../core/errors/error.ts';
import { makeToken } from '../../server/admin/make-token.ts';
import { TOKEN_SCOPES } from '../../server/auth/tokens.ts';
import type { ChangeContext } from '../../server/server-context.ts';
import {
  checkOptions,
  filled,
  FILLED_TEXT,
  NUMBER,
  type OptionChecks,
  required,
  someOf,
  TEXT,
  TEXTS,
} from '../option-checks.ts';
import type { TokenOptions } from './registry.ts';

const LOGIN_CHECKS: OptionChecks<{ readonly login: string }> = { login: required(FILLED_TEXT) };

const CHECKS: OptionChecks<TokenOptions> = {
  name: TEXT,
  scopes: filled(someOf(...TOKEN_SCOPES)),
  crates: filled(TEXTS),
  expiresAfterMs: NUMBER,
};

/** Creates a token of the user `login`, who is created if necessary. Throws `usage` for invalid values. */
export async function createToken(
  context: ChangeContext,
  login: string,
  options: TokenOptions,
): Promise<string> {
  checkOptions({ login }, LOGIN_CHECKS);
  checkOptions(options, CHECKS);
  const { name = 'library', scopes = [], crates = [], expiresAfterMs = null } = options;
  if (expiresAfterMs !== null && !(Number.isSafeInteger(expiresAfterMs) && expiresAfterMs > 0)) {
    throw new TsregError(`\`expiresAfterMs\` must be a positive whole number, not \`${expiresAfterMs}\``, {
      code: 'usage',
    });
  }
  return makeToken(context, { login, name, scopes, cratePatterns: crates, expiresAfterMs });
}
