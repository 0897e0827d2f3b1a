/** Revokes tokens from the command line. */
import { TsregError } from '../../core/errors/error.ts';
import type { ChangeContext } from '../server-context.ts';
import type { OwnedToken } from '../store/token-records.ts';

/** A revoked token. */
export interface RevokedToken extends OwnedToken {
  /** False if the token was already revoked. */
  readonly isNew: boolean;
}

/**
 * Revokes the tokens with these IDs, with audit entries, and yields each of them. Throws `not-found`, and revokes none,
 * if one does not exist.
 */
export async function* revokeTokens(
  { records, clock }: ChangeContext,
  ids: readonly string[],
): AsyncIterable<RevokedToken> {
  const ownedTokens: OwnedToken[] = [];
  for (const id of new Set(ids)) {
    const token = /^\d{1,15}$/.test(id) ? await records.findToken(Number(id)) : null;
    if (token === null) throw noToken(id);
    ownedTokens.push(token);
  }
  for (const ownedToken of ownedTokens) {
    const { user, token } = ownedToken;
    const revocation = { userId: user.id, tokenId: token.id, atMs: clock.now(), audit: { actor: null } };
    yield { ...ownedToken, isNew: await records.revokeToken(revocation) };
  }
}

function noToken(id: string): TsregError {
  return new TsregError(`there is no token with the ID \`${id}\`: \`serve token list\` shows the IDs`, {
    code: 'not-found',
  });
}
