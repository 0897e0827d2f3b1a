/** Unpacks packages of local registries under cargo's home. Cargo Book: Source Replacement. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { osError } from '../disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import { makePackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { crateFileName, hasChecksum, packageDirName } from './crate-file.ts';
import { isUnpacked, recordPackage } from './package-presence.ts';
import { registryFoldersOf } from './registry-folders.ts';
import type { SourceContext } from './source-context.ts';
import { unpackPackage } from './unpack-package.ts';

/** The `.crate` files of a local registry. */
export interface LocalCrates {
  readonly source: SourceId;
  /** Absolute. */
  readonly folder: string;
}

/**
 * Returns the absolute folder of a package whose `.crate` is in `registry`. Unpacks it unless that was done before.
 * Throws `checksum` if the archive differs from the index, and in cargo's words if it cannot be read or unpacked.
 */
export async function unpackLocalCrate(
  summary: Summary,
  registry: LocalCrates,
  { cache, report }: SourceContext,
): Promise<string> {
  const dirName = packageDirName(summary.id);
  const foldersBelow = registryFoldersOf(registry.source);
  const rootBelow = (home: string): string => join(foldersBelow(home).src, dirName);
  const archivePath = `${registry.folder}/${crateFileName(summary.id)}`;
  checkReadable(archivePath);
  for (const home of [cache.home, cache.ownHome]) {
    const root = rootBelow(home);
    if (isUnpacked(root)) {
      recordPackage(root, archivePath);
      return root;
    }
  }
  return cache.hold(async (home) => {
    const root = rootBelow(home);
    // Another process may have unpacked it meanwhile.
    if (isUnpacked(root)) return root;
    const { base, src } = foldersBelow(home);
    markCacheDirectory(base);
    const archive = readFileSync(archivePath);
    const id = makePackageId(summary.id.name, summary.id.version, registry.source);
    // If an unfinished folder exists, its archive was already verified.
    if (!existsSync(root)) {
      report.status('Unpacking', describePackage(id));
      if (summary.checksum === null || !hasChecksum(archive, summary.checksum))
        throw new TsregError(`failed to verify the checksum of \`${describePackage(id)}\``, {
          code: 'checksum',
        });
    }
    return unpackPackage(archive, id, src);
  });
}

function checkReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new TsregError(`failed to open file \`${path}\``, { cause: osError(error) });
  }
}
