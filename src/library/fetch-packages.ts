/** `fetch` as a function. */
import { fetchPackages as runFetch, type PackageOnDisk } from '../commands/fetch/run.ts';
import { call, type CommonOptions, LOCKFILE_CHECKS, type ManifestOptions } from './call.ts';
import { type OptionChecks, TEXTS } from './option-checks.ts';

/** Options of `fetchPackages`. */
export interface FetchOptions extends CommonOptions, ManifestOptions {
  /** Target triples to fetch dependencies for; all dependencies by default. */
  readonly targets?: readonly string[] | undefined;
}

const CHECKS: OptionChecks<FetchOptions> = { ...LOCKFILE_CHECKS, targets: TEXTS };

/**
 * Updates `Cargo.lock`, and downloads and unpacks missing packages, as `tsreg fetch` does. Returns every required
 * package, including members. Rejects with a `TsregError` that has cargo's message and causes. Cargo Book: cargo fetch.
 */
export async function fetchPackages(options: FetchOptions = {}): Promise<readonly PackageOnDisk[]> {
  return call(options, CHECKS, (shared, context) => {
    const { targets = [] } = options;
    return runFetch({ ...shared, targets: targets.length === 0 ? null : targets }, context);
  });
}
