/** `fetch` as a function. */
import { fetchPackages as runFetch, type PackageOnDisk } from '../ops/fetch.ts';
import { call, type LockfileOptions, OF_LOCKFILES } from './call.ts';
import { type OptionChecks, TEXTS } from './option-checks.ts';

/** What `fetchPackages` is asked for. */
export interface FetchOptions extends Omit<LockfileOptions, 'ignoreRustVersion'> {
  /** Target triples; what any of them needs. Everything unless given. */
  readonly targets?: readonly string[] | undefined;
}

const CHECKS: OptionChecks<FetchOptions> = { ...OF_LOCKFILES, targets: TEXTS };

/**
 * What `tsreg fetch` does: brings `Cargo.lock` up to date, and downloads and unpacks what is missing of it. Gives every
 * package that is needed, members among them. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo fetch.
 */
export async function fetchPackages(options: FetchOptions): Promise<readonly PackageOnDisk[]> {
  return call(options, CHECKS, (shared, context) => {
    const { targets = [] } = options;
    return runFetch({ ...shared, targets: targets.length === 0 ? null : targets }, context);
  });
}
