/** `vendor` as a function. */
import { TsregError } from '../core/errors/error.ts';
import { vendor as runVendor, type Vendored } from '../commands/vendor/run.ts';
import { call, type CommonOptions, LOCKFILE_CHECKS, type ManifestOptions } from './call.ts';
import { type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';

/** Options of `vendor`. */
export interface VendorOptions extends CommonOptions, ManifestOptions {
  /** The folder, absolute or relative to `cwd`; `vendor` by default. The returned tables contain it as given. */
  readonly path?: string | undefined;
  /** Manifests of additional workspaces, absolute or relative to `cwd`. */
  readonly sync?: readonly string[] | undefined;
  /** Keeps files in the folder that are not needed. */
  readonly noDelete?: boolean | undefined;
  /** Includes the version in the name of every folder. */
  readonly versionedDirs?: boolean | undefined;
  /** Applies `[source]` of the configuration, which is ignored by default. */
  readonly respectSourceConfig?: boolean | undefined;
}

const CHECKS: OptionChecks<VendorOptions> = {
  ...LOCKFILE_CHECKS,
  path: TEXT,
  sync: TEXTS,
  noDelete: SWITCH,
  versionedDirs: SWITCH,
  respectSourceConfig: SWITCH,
};

/**
 * Updates `Cargo.lock`, and copies its packages into a folder, as `tsreg vendor` does. Rejects with a `TsregError` that
 * has cargo's message and causes; each package in the folder is unchanged or complete then. Cargo Book: cargo vendor.
 */
export async function vendor(options: VendorOptions = {}): Promise<Vendored> {
  return call(options, CHECKS, (shared, context) => {
    const { path = 'vendor', sync = [], noDelete = false, versionedDirs = false } = options;
    const { respectSourceConfig = false } = options;
    if (path === '') throw new TsregError('`path` is empty', { code: 'usage' });
    return runVendor({ ...shared, path, sync, noDelete, versionedDirs, respectSourceConfig }, context);
  });
}
