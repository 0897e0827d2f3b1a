/** `whoami` as a function. */
import { whoami as runWhoami, type WhoamiDocument } from '../ops/whoami.ts';
import { call } from './call.ts';
import { OF_REGISTRY_CALLS, type RegistryCallOptions, registryOptions } from './registry-call.ts';

/**
 * What `tsreg whoami --json` prints: whose the token is that other functions would use. Rejects with a `TsregError`, with
 * the code `auth` where there is no token or the registry refuses it.
 */
export async function whoami(options: RegistryCallOptions): Promise<WhoamiDocument> {
  return call(options, OF_REGISTRY_CALLS, (shared, context) =>
    runWhoami({ ...shared, ...registryOptions(options) }, context),
  );
}
