/** `package` as a function. */
import { packageCrates, type PackagedCrate } from '../commands/package/run.ts';
import { call } from './call.ts';
import { type OptionChecks, SWITCH } from './option-checks.ts';
import { PACKAGES_CALL_CHECKS, type PackagesCallOptions, packagesOptions } from './packages-call.ts';

/** Options of `packageCrate`. */
export interface PackageOptions extends PackagesCallOptions {
  /** Suppresses the warning about a missing description, license and the like. */
  readonly noMetadata?: boolean | undefined;
  /** Leaves `Cargo.lock` out of the archive. */
  readonly excludeLockfile?: boolean | undefined;
}

const CHECKS: OptionChecks<PackageOptions> = {
  ...PACKAGES_CALL_CHECKS,
  noMetadata: SWITCH,
  excludeLockfile: SWITCH,
};

/**
 * Makes the `.crate` of each selected package, dependencies first, as `tsreg package` does. Rejects with a `TsregError`
 * that has cargo's message and causes; no archive in the target directory has changed then. Cargo Book: cargo package.
 */
export async function packageCrate(options: PackageOptions = {}): Promise<readonly PackagedCrate[]> {
  return call(options, CHECKS, (shared, context) => {
    const { noMetadata = false, excludeLockfile = false } = options;
    return packageCrates({ ...packagesOptions(options, shared), noMetadata, excludeLockfile }, context);
  });
}
