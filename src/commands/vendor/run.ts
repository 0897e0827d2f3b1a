/** `vendor`: copies the dependencies of workspaces into a folder. Cargo Book: cargo vendor. */
import { PackageCache } from '../../io/disk/package-cache.ts';
import { NodeFiles } from '../../io/disk/node-files.ts';
import { withContextAsync } from '../../core/errors/error.ts';
import { joinPath, toNativeSeparators } from '../../core/files/path.ts';
import { isRegistry } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { VendorFolder } from '../../io/sources/vendor-folder.ts';
import { type PackageToVendor, vendorPackages } from '../../io/sources/vendor-packages.ts';
import { type LockOptions, type LockRun, openLockRun, startLockRun } from '../shared/lock/lock-run.ts';
import { vendorConfig } from './config.ts';
import { planVendoring } from './plan.ts';
import { findPackages } from './sources.ts';

/** The command-line options of `vendor`. */
export interface VendorOptions extends LockOptions {
  /** The folder, as on the command line. */
  readonly path: string;
  /** Manifests of further workspaces, as on the command line. */
  readonly sync: readonly string[];
  /** True to keep files in the folder that are not needed. */
  readonly noDelete: boolean;
  /** True to put the version into every folder name. */
  readonly versionedDirs: boolean;
  /** True to apply `[source]` of the configuration, which is otherwise ignored. */
  readonly respectSourceConfig: boolean;
}

/** A vendored package. */
export interface VendoredPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute path of its folder. */
  readonly root: string;
}

/** The result of `vendor`. */
export interface Vendored {
  /** `[source]` tables that make cargo use the folder; null if there is nothing to vendor. */
  readonly config: string | null;
  /** All needed packages, by id, including those that were in the folder before. */
  readonly packages: readonly VendoredPackage[];
}

/**
 * Brings lock files up to date, fetches the packages that they name, and copies all but path packages into the folder.
 */
export async function vendor(options: VendorOptions, context: OperationContext): Promise<Vendored> {
  const config = options.respectSourceConfig ? options.config : options.config.withoutKey('source');
  const lockOptions = {
    ...options,
    config,
    ignoreRustVersion: false,
    roots: new Map(),
    sources: new SourceTable(),
  };
  const main = startLockRun(lockOptions, context);
  const others = options.sync.map((manifest) =>
    openLockRun(
      toNativeSeparators(joinPath(config.cwd, manifest)),
      { ...lockOptions, files: new NodeFiles() },
      context,
    ),
  );
  const cache = new PackageCache(config.home, main.context);
  return cache.hold(() =>
    withContextAsync('failed to sync', () => sync({ main, others, cache }, { ...options, config })),
  );
}

/** The workspaces to vendor, and the cache that they share. */
interface VendorRun {
  readonly main: LockRun;
  readonly others: readonly LockRun[];
  readonly cache: PackageCache;
}

/** Writes the packages of the workspaces into the folder, and removes others. The caller holds the lock of `cache`. */
async function sync({ main, others, cache }: VendorRun, options: VendorOptions): Promise<Vendored> {
  const { config, path, noDelete } = options;
  const folder = new VendorFolder({ path, cwd: config.cwd, keepsOthers: noDelete });
  try {
    const packagesToVendor = await findPackages([...others, main], {
      config,
      cache,
      keepFolder: (packageFolder) => folder.keepFolder(packageFolder),
    });
    const plan = planVendoring(packagesToVendor, options);
    const toWrite: PackageToVendor[] = [];
    for (const { item, name, hasVersion } of plan) {
      folder.keep(name);
      // A version in a registry never changes.
      if (hasVersion && isRegistry(item.id.source) && folder.hasPackage(name)) continue;
      toWrite.push({ ...item, name });
    }
    await vendorPackages(toWrite, folder, main.context);
    folder.removeOthers();
    if (plan.length === 0) folder.removeIfCreated();
    const sources = plan.map(({ item }) => item.id.source);
    const packages = plan.map(({ item, name }) => {
      return { name: item.id.name, version: item.id.version.text, root: folder.pathOf(name) };
    });
    return { config: vendorConfig(sources, path), packages };
  } finally {
    folder.dispose();
  }
}
