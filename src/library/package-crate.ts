/** `package` as a function. */
import { packageCrates, type PackagedCrate } from '../ops/package.ts';
import { call } from './call.ts';
import { type PackagesCallOptions, packagesOptions } from './packages-call.ts';

/** What `packageCrate` is asked for. */
export interface PackageOptions extends PackagesCallOptions {
  readonly noMetadata?: boolean;
  readonly excludeLockfile?: boolean;
}

/**
 * What `tsreg package` does: makes the `.crate` of each selected package, of those first that others need. Rejects with
 * a `TsregError` whose message and causes are cargo's; then no archive in the target directory has changed.
 * Cargo Book: cargo package.
 */
export async function packageCrate(options: PackageOptions): Promise<readonly PackagedCrate[]> {
  const { noMetadata = false, excludeLockfile = false } = options;
  return call(options, (shared, context) =>
    packageCrates({ ...packagesOptions(options, shared), noMetadata, excludeLockfile }, context),
  );
}
