/** `whoami` as a function. */
import { whoami as runWhoami, type WhoamiDocument } from '../commands/whoami/run.ts';
import { call } from './call.ts';
import { REGISTRY_CALL_CHECKS, type RegistryCallOptions, registryOptions } from './registry-call.ts';

/**
 * Returns the document of `tsreg whoami --json`: the user to whom the token of other calls belongs. Rejects with a
 * `TsregError`, with the code `auth` if there is no token or the registry refuses it.
 */
export async function whoami(options: RegistryCallOptions = {}): Promise<WhoamiDocument> {
  return call(options, REGISTRY_CALL_CHECKS, (shared, context) =>
    runWhoami({ ...shared, ...registryOptions(options) }, context),
  );
}
