/** `package` as a function. */
import { packageCrates, type PackagedCrate } from '../ops/package.ts';
import { call } from './call.ts';
import { type OptionChecks, SWITCH } from './option-checks.ts';
import { OF_PACKAGES_CALLS, type PackagesCallOptions, packagesOptions } from './packages-call.ts';

/** What `packageCrate` is asked for. */
export interface PackageOptions extends PackagesCallOptions {
  /** Does not warn of a manifest without description, license and the like. */
  readonly noMetadata?: boolean | undefined;
  /** Leaves `Cargo.lock` out of the archive. */
  readonly excludeLockfile?: boolean | undefined;
}

const CHECKS: OptionChecks<PackageOptions> = {
  ...OF_PACKAGES_CALLS,
  noMetadata: SWITCH,
  excludeLockfile: SWITCH,
};

/**
 * What `tsreg package` does: makes the `.crate` of each selected package, of those first that others need. Rejects with
 * a `TsregError` whose message and causes are cargo's; then no archive in the target directory has changed.
 * Cargo Book: cargo package.
 */
export async function packageCrate(options: PackageOptions): Promise<readonly PackagedCrate[]> {
  return call(options, CHECKS, (shared, context) => {
    const { noMetadata = false, excludeLockfile = false } = options;
    return packageCrates({ ...packagesOptions(options, shared), noMetadata, excludeLockfile }, context);
  });
}
