/** `package`: makes the `.crate` archives of the packages of a workspace. Cargo Book: cargo package. */
import { basename, join } from 'node:path';
import { targetDirectory } from '../../io/config/target-directory.ts';
import { makeCacheDirectory } from '../../io/disk/cache-directory-tag.ts';
import { copyFileAtomic } from '../../io/disk/copy-file.ts';
import type { LockContext } from '../../io/disk/file-lock.ts';
import type { TsregError } from '../../core/errors/error.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { openPackages, type PackagesOptions, selectMembers } from '../shared/packaging/open-packages.ts';
import {
  listArchives,
  packCrates,
  type PackagingOptions,
  type SelectedPackage,
} from '../shared/packaging/package-crates.ts';
import type { PackagePlan } from '../shared/packaging/plan-package.ts';
import { checkPackageFlags } from '../shared/workspace/select-packages.ts';

/** The command-line options of `package`. */
export interface PackageOptions extends PackagesOptions {
  readonly noMetadata: boolean;
  readonly excludeLockfile: boolean;
}

/** The command-line options of `package --list`. */
export interface ListOptions extends PackageOptions {
  /** The error of a flag that is checked after the workspace is loaded; null if there is none. */
  readonly flagError: TsregError | null;
}

/** A `.crate` archive. */
export interface PackagedCrate {
  readonly name: string;
  readonly version: string;
  /** Absolute path in the target directory. */
  readonly path: string;
  readonly fileCount: number;
  /** Total size of the files, in bytes. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** SHA-256 of the whole `.crate`, in hexadecimal. */
  readonly checksum: string;
}

/**
 * Yields the plan of each selected package's archive, in the order in which they would be made. Brings an existing
 * `Cargo.lock` up to date and makes the target directory. Writes nothing else.
 */
export async function* listPackages(
  options: ListOptions,
  context: OperationContext,
): AsyncGenerator<PackagePlan> {
  const { selected, packaging, lockContext } = prepare(options, context, options.flagError);
  yield* listArchives(selected, packaging, lockContext);
  // cargo makes this folder too, although it needs it only for archives.
  makeCacheDirectory(targetDirectory(packaging.config, packaging.workspace.root));
}

/**
 * Makes the archives of the selected packages, and verifies them unless a flag forbids it. Copies them into `package`
 * of the target directory only if all of them succeed. Brings an existing `Cargo.lock` up to date.
 */
export async function packageCrates(
  options: PackageOptions,
  context: OperationContext,
): Promise<readonly PackagedCrate[]> {
  const { selected, packaging, lockContext } = prepare(options, context, null);
  const packed = await packCrates(selected, packaging, lockContext);
  const target = targetDirectory(packaging.config, packaging.workspace.root);
  makeCacheDirectory(target);
  const results: PackagedCrate[] = [];
  for (const { manifest, path: scratch, fileCount, bytes, compressedBytes, sha256 } of packed) {
    const { name, version } = manifest.summary.id;
    const path = join(target, 'package', basename(scratch));
    await copyFileAtomic(scratch, path, lockContext.signal);
    results.push({
      name,
      version: version.text,
      path,
      fileCount,
      bytes,
      compressedBytes,
      checksum: sha256,
    });
  }
  return results;
}

interface PreparedPackages {
  readonly selected: readonly SelectedPackage[];
  readonly packaging: PackagingOptions;
  readonly lockContext: LockContext;
}

/**
 * Loads the workspace and applies the flags to it. Reports errors in cargo's order: of the workspace, of the flags for
 * packages, `flagError` (of `--message-format`), and of the selection.
 */
function prepare(
  options: PackageOptions,
  context: OperationContext,
  flagError: TsregError | null,
): PreparedPackages {
  const packages = openPackages(options, context);
  checkPackageFlags(options.selection);
  if (flagError !== null) throw flagError;
  const selected = selectMembers(options, packages);
  const packaging = {
    ...packages.packaging,
    registry: packages.registry,
    checksMetadata: !options.noMetadata,
    includesLockfile: !options.excludeLockfile,
    downloadVariables: null,
    isDryRun: false,
  };
  return { selected, packaging, lockContext: packages.context };
}
