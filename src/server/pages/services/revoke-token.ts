import type { Clock } from '../../shared/clock.ts';
import type { User } from '../../store/values.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { PageError, type UserPageRequest } from './page-handlers.ts';

/**
 * Revokes the token whose ID is in the path. Does nothing if `user` has no such token or it is already revoked. Throws
 * `PageError` for a text that is no ID.
 */
export async function revokeTokenInPath(
  { c, records, actor }: UserPageRequest,
  { user, clock }: { readonly user: User; readonly clock: Clock },
): Promise<void> {
  const tokenId = Number(c.req.param('id'));
  if (!Number.isSafeInteger(tokenId)) throw new PageError(NOT_FOUND);
  await records.revokeToken({ userId: user.id, tokenId, atMs: clock.now(), audit: { actor } });
}
