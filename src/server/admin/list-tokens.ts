/** Lists tokens for the command line. */
import { TsregError } from '../../core/errors/error.ts';
import { tokenState } from '../auth/tokens.ts';
import type { Records } from '../store/store.ts';
import type { Token, User } from '../store/values.ts';

/** A token as lists show it: without its secret and its hash. */
export interface ListedToken {
  readonly id: number;
  /** Login of its user. */
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Crate names, or prefixes followed by `*`; empty for every crate. */
  readonly crates: readonly string[];
  readonly state: 'usable' | 'expired' | 'revoked';
  /** Times are RFC 3339; null for never. */
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

/** Users to read at a time. */
const BATCH_SIZE = 500;

/** Yields the tokens of a user, or of all users by login if `login` is null. Throws `not-found` for an unknown user. */
export async function* listTokens(
  records: Pick<Records, 'findUser' | 'listUsers' | 'listTokens'>,
  { login, nowMs }: { readonly login: string | null; readonly nowMs: number },
): AsyncIterable<ListedToken> {
  for await (const user of login === null ? everyUser(records) : [await requireUser(records, login)]) {
    for (const token of await records.listTokens(user.id)) yield toListedToken(token, { user, nowMs });
  }
}

async function* everyUser(records: Pick<Records, 'listUsers'>): AsyncIterable<User> {
  for (let offset = 0; ; offset += BATCH_SIZE) {
    const { items, total } = await records.listUsers({ limit: BATCH_SIZE, offset });
    yield* items;
    if (offset + BATCH_SIZE >= total) return;
  }
}

async function requireUser(records: Pick<Records, 'findUser'>, login: string): Promise<User> {
  const user = await records.findUser(login);
  if (user === null) throw new TsregError(`there is no user \`${login}\``, { code: 'not-found' });
  return user;
}

function toListedToken(
  token: Token,
  { user, nowMs }: { readonly user: User; readonly nowMs: number },
): ListedToken {
  return {
    id: token.id,
    user: user.login,
    name: token.name,
    scopes: token.scopes,
    crates: token.cratePatterns,
    state: tokenState(token, nowMs),
    created_at: new Date(token.createdAtMs).toISOString(),
    last_used_at: timeText(token.lastUsedAtMs),
    expires_at: timeText(token.expiresAtMs),
  };
}

function timeText(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
