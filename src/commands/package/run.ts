/** `package`: makes the `.crate` archives of the packages of a workspace. Cargo Book: cargo package. */
import { basename, join } from 'node:path';
import { targetDirectory } from '../../io/config/target-directory.ts';
import { makeCacheDirectory } from '../../io/disk/cache-directory-tag.ts';
import { copyFileAtomic } from '../../io/disk/copy-file.ts';
import type { OperationContext } from '../../core/report/report.ts';
import {
  type FlagProblems,
  type OpenedPackages,
  openPackages,
  type PackagesOptions,
} from '../shared/packaging/open-packages.ts';
import { listArchives, packCrates, type PackagingOptions } from '../shared/packaging/package-crates.ts';
import type { PackagePlan } from '../shared/packaging/pack-crate.ts';

/** The command-line options of `package`. */
export interface PackageOptions extends PackagesOptions {
  /** True to not warn about missing metadata. */
  readonly noMetadata: boolean;
  readonly excludeLockfile: boolean;
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
  /** True if cargo has built the package from the archive. */
  readonly verified: boolean;
}

/**
 * Yields the plan of each selected package's archive, in the order in which they would be made. Brings an existing
 * `Cargo.lock` up to date and makes the target directory. Writes nothing else.
 */
export async function* listPackages(
  options: PackageOptions & FlagProblems,
  context: OperationContext,
): AsyncGenerator<PackagePlan> {
  const { selected, packaging, context: lockContext } = prepare(options, context);
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
  const { selected, packaging, context: lockContext } = prepare(options, context);
  const packed = await packCrates(selected, packaging, lockContext);
  const target = targetDirectory(packaging.config, packaging.workspace.root);
  makeCacheDirectory(target);
  const results: PackagedCrate[] = [];
  for (const {
    manifest,
    path: scratchPath,
    fileCount,
    bytes,
    compressedBytes,
    sha256,
    isVerified,
  } of packed) {
    const { name, version } = manifest.summary.id;
    const path = join(target, 'package', basename(scratchPath));
    await copyFileAtomic(scratchPath, path, lockContext.signal);
    results.push({
      name,
      version: version.text,
      path,
      fileCount,
      bytes,
      compressedBytes,
      checksum: sha256,
      verified: isVerified,
    });
  }
  return results;
}

/** Loads the workspace and selects the packages. */
function prepare(
  options: PackageOptions & FlagProblems,
  context: OperationContext,
): Pick<OpenedPackages, 'selected' | 'context'> & { readonly packaging: PackagingOptions } {
  const packages = openPackages(options, context);
  const packaging = {
    ...packages.packaging,
    checksMetadata: !options.noMetadata,
    includesLockfile: !options.excludeLockfile,
    downloadVariables: null,
    isDryRun: false,
  };
  return { ...packages, packaging };
}
