/** Asks a registry which user a token belongs to. */
import { TsregError, withContextAsync } from '../../../core/errors/error.ts';
import { displaySource } from '../../../core/package-id/describe.ts';
import type { Account } from '../../../core/protocol/api-responses.ts';
import { ApiError } from '../../../io/web-api/api-error.ts';
import type { OpenedRegistry } from './open-registry.ts';

/** Statuses of servers that do not have this endpoint. */
const UNKNOWN_ADDRESS: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Returns the token's account. Rejects if there is no token, if it is refused, or if the registry lacks this endpoint.
 */
export async function askAccount(
  registry: Pick<OpenedRegistry, 'api' | 'host' | 'source'>,
): Promise<Account> {
  const api = await registry.api({ kind: 'read' });
  const account = await withContextAsync(
    `failed to ask the registry at ${registry.host} which user the token belongs to`,
    async () => {
      try {
        return await api.whoami();
      } catch (error) {
        if (error instanceof ApiError && UNKNOWN_ADDRESS.has(error.status)) return null;
        throw error;
      }
    },
  );
  if (account !== null) return account;
  throw new TsregError(
    `${displaySource(registry.source.original)} does not say which user a token belongs to`,
    {
      code: 'source',
    },
  );
}
