/** The versions of a crate in a registry. */
import type { IndexedVersion } from '../core/protocol/indexed-version.ts';
import { crateVersion, crateVersions } from '../commands/download/one-crate.ts';
import { call } from './call.ts';
import { type CrateCallOptions, CRATE_CALL_CHECKS, crateOptions } from './crate-call.ts';

/**
 * Returns all versions of the crate `name`, highest first, yanked ones included. Uses no workspace. Rejects with a
 * `TsregError`, with the code `not-found` if the registry does not have the crate.
 */
export async function versions(
  name: string,
  options: CrateCallOptions = {},
): Promise<readonly IndexedVersion[]> {
  return call(options, CRATE_CALL_CHECKS, (shared, context) =>
    crateVersions({ ...shared, ...crateOptions(name, options) }, context),
  );
}

/**
 * Returns the highest version of a crate that matches `spec` and is not yanked. `spec` is `name` (a pre-release only if
 * there is no release), `name@1.2` (any release 1.2.x) or `name@1.2.3` (exactly this version, even if it is yanked); `=`
 * may precede the version. Downloads nothing. Rejects with a `TsregError`, with the code `not-found` if there is none.
 */
export async function manifest(spec: string, options: CrateCallOptions = {}): Promise<IndexedVersion> {
  return call(options, CRATE_CALL_CHECKS, (shared, context) =>
    crateVersion({ ...shared, ...crateOptions(spec, options) }, context),
  );
}
