/** Tokens of the web API: how they are made, recognised and limited. Cargo Book: Registry Authentication. */
import { createHash, randomBytes } from 'node:crypto';
import { canonicalName } from './canonical-name.ts';
import type { Actor, Token, TokenScope } from './store-values.ts';

/** Every scope, in the order in which they are shown. */
export const TOKEN_SCOPES: readonly TokenScope[] = [
  'read',
  'publish-new',
  'publish-update',
  'yank',
  'owners',
];

/** How long the name of a token may be. */
export const MAX_TOKEN_NAME_CHARS = 100;

/** True for what can be a pattern of a token: the name of a crate, or the beginning of names followed by `*`. */
export function isCratePattern(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}\*?$|^\*$/.test(text);
}

/** What all tokens begin with, so that one that got lost can be found. */
const MARK = 'tsreg_';
const SECRET_BYTES = 32;
/** Characters of a token, the mark included, that are kept to recognise it by. */
const PREFIX_LENGTH = MARK.length + 4;

const TOKENS = new RegExp(`${MARK}[\\w-]{16,}`, 'g');

/** A new token, to be shown once, and what is kept of it. */
export interface NewSecret {
  readonly secret: string;
  readonly hash: string;
  readonly prefix: string;
}

/** Makes a token. */
export function makeSecret(): NewSecret {
  const secret = MARK + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashToken(secret), prefix: secret.slice(0, PREFIX_LENGTH) };
}

/** A text of whatever origin without the tokens that it may have, of which their beginnings stay. */
export function withoutTokens(text: string): string {
  return text.includes(MARK) ? text.replaceAll(TOKENS, (token) => `${token.slice(0, PREFIX_LENGTH)}…`) : text;
}

/** What a token is found by. The token is as good as random, so that a plain hash cannot be turned back. */
export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** True if one of the token's patterns is for a crate of this name, or there are none. */
export function isForCrate({ cratePatterns }: Pick<Token, 'cratePatterns'>, crate: string): boolean {
  if (cratePatterns.length === 0) return true;
  const name = canonicalName(crate);
  return cratePatterns.some((pattern) =>
    pattern.endsWith('*')
      ? name.startsWith(canonicalName(pattern.slice(0, -1)))
      : name === canonicalName(pattern),
  );
}

/** True if the actor may use `scope` for the crate: who has no token may. */
export function isInScope({ token }: Actor, scope: TokenScope, crate: string): boolean {
  return token === null || (token.scopes.includes(scope) && isForCrate(token, crate));
}
