/** `package`: the archives that a registry takes of the packages of a workspace. Cargo Book: cargo package. */
import { basename, join } from 'node:path';
import { targetDirectory } from '../config/target-directory.ts';
import { makeCacheDirectory } from '../disk/cache-directory-tag.ts';
import { copyFileAtomic } from '../disk/copy-file.ts';
import type { LockContext } from '../disk/file-lock.ts';
import type { TsregError } from '../errors/error.ts';
import type { OperationContext } from '../report/report.ts';
import { missingTarget } from './graph/missing-values.ts';
import {
  openPackages,
  type PackagesOptions,
  packagingOptions,
  selectMembers,
} from './workspace/open-packages.ts';
import {
  listArchives,
  packageCrates as packCrates,
  type PackagingOptions,
  type SelectedPackage,
} from './package/package-crates.ts';
import type { PackagePlan } from './package/plan-package.ts';
import { checkPackageFlags } from './workspace/select-packages.ts';

/** What the command line asks for. */
export interface PackageOptions extends PackagesOptions {
  readonly noMetadata: boolean;
  readonly excludeLockfile: boolean;
}

/** What the command line asks for with `--list`. */
export interface ListOptions extends PackageOptions {
  /** What is wrong with a flag that is looked at once the workspace has been read; null if nothing is. */
  readonly flagError: TsregError | null;
}

/** A `.crate` that was made. */
export interface PackagedCrate {
  readonly name: string;
  readonly version: string;
  /** Absolute path: in the target directory, or the scratch folder's if that is all there is. */
  readonly path: string;
  readonly fileCount: number;
  /** Sum of the files' contents. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** SHA-256 of the whole `.crate`, in hexadecimal. */
  readonly checksum: string;
}

/**
 * Says of each selected package what its archive would hold, in the order in which they would be made. Brings
 * `Cargo.lock` up to date where there is one, and makes the target directory; writes nothing else.
 */
export async function* listPackages(
  options: ListOptions,
  context: OperationContext,
): AsyncGenerator<PackagePlan> {
  const { selected, packaging, lockContext } = prepare(options, context, options.flagError);
  yield* listArchives(selected, packaging, lockContext);
  // As cargo does, which has come so far that it could put archives there.
  makeCacheDirectory(targetDirectory(packaging.config, packaging.workspace.root));
}

/**
 * Makes the archives of the selected packages and checks them, unless that is not wanted; then puts them into
 * `package` of the target directory, all or none. Brings `Cargo.lock` up to date where there is one.
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
    const sizes = { fileCount, bytes, compressedBytes };
    results.push({ name, version: version.text, path, ...sizes, checksum: sha256 });
  }
  return results;
}

interface PreparedPackages {
  readonly selected: readonly SelectedPackage[];
  readonly packaging: PackagingOptions;
  readonly lockContext: LockContext;
}

/** Loads the workspace and makes out what the flags mean in it, in cargo's order. */
function prepare(
  options: PackageOptions,
  context: OperationContext,
  flagError: TsregError | null,
): PreparedPackages {
  const packages = openPackages(options, context);
  checkPackageFlags(options.selection);
  if (flagError !== null) throw flagError;
  if (options.targets?.length === 0) throw missingTarget(options.config);
  const selected = selectMembers(options, packages);
  const packaging = packagingOptions(options, packages, {
    registry: packages.registry,
    checksMetadata: !options.noMetadata,
    includesLockfile: !options.excludeLockfile,
    downloadVariables: null,
    isDryRun: false,
  });
  return { selected, packaging, lockContext: packages.context };
}
