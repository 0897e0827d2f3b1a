import { TsregError } from '../../core/errors/error.ts';

/** Returns true if the store does not respond, or refuses the server's credentials, which may have expired. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof TsregError && (error.code === 'network' || error.code === 'auth');
}
