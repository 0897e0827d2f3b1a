/** `vendor` as a function. */
import { TsregError } from '../errors/error.ts';
import { vendor as runVendor, type Vendored } from '../ops/vendor.ts';
import { call, type LockfileOptions, OF_LOCKFILES } from './call.ts';
import { type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';

/** What `vendor` is asked for. */
export interface VendorOptions extends Omit<LockfileOptions, 'ignoreRustVersion'> {
  /** The folder, absolute or from `cwd`; `vendor` unless given. The tables that are given back name it like this. */
  readonly path?: string | undefined;
  /** Manifests of further workspaces, absolute or from `cwd`. */
  readonly sync?: readonly string[] | undefined;
  /** Keeps what is in the folder and not needed. */
  readonly noDelete?: boolean | undefined;
  /** Every folder has the version in its name. */
  readonly versionedDirs?: boolean | undefined;
  /** Heeds `[source]` of the configuration, which else counts for nothing. */
  readonly respectSourceConfig?: boolean | undefined;
}

const CHECKS: OptionChecks<VendorOptions> = {
  ...OF_LOCKFILES,
  path: TEXT,
  sync: TEXTS,
  noDelete: SWITCH,
  versionedDirs: SWITCH,
  respectSourceConfig: SWITCH,
};

/**
 * What `tsreg vendor` does: brings `Cargo.lock` up to date, and copies what it names into a folder. Rejects with a
 * `TsregError` whose message and causes are cargo's; then each package there is as it was or as it shall be.
 * Cargo Book: cargo vendor.
 */
export async function vendor(options: VendorOptions): Promise<Vendored> {
  return call(options, CHECKS, (shared, context) => {
    const { path = 'vendor', sync = [], noDelete = false, versionedDirs = false } = options;
    const { respectSourceConfig = false } = options;
    if (path === '') throw new TsregError('`path` is empty', { code: 'usage' });
    return runVendor({ ...shared, path, sync, noDelete, versionedDirs, respectSourceConfig }, context);
  });
}
