/** From a `.crate` to a vendored package. Cargo Book: cargo vendor. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { osError } from '../disk/errno.ts';
import { TsregError } from '../errors/error.ts';
import { markGeneratedFiles, unpackInto } from './unpack-package.ts';
import { CHECKSUM_FILE, checksumPath, formatChecksums, isVendored } from './vendored-files.ts';

/** Where a `.crate` is vendored. */
export interface VendorCratePlace {
  /** Absolute folder in which the package's folder is made, which is not there yet. */
  readonly parent: string;
  /** The package's `packageDirName`. */
  readonly dirName: string;
  /** Where it will be, for messages. */
  readonly root: string;
  /** The checksum of the archive as the lock file has it; null if it has none. */
  readonly checksum: string | null;
}

/** Unpacks what is vendored of a `.crate`, with its checksum file. Nothing is left after a failure. */
export function vendorCrate(archive: Uint8Array, place: VendorCratePlace): void {
  const { parent, dirName, root, checksum } = place;
  const unpacked = join(parent, dirName);
  const checksums = new Map<string, string>();
  try {
    mkdirSync(unpacked);
    unpackInto(archive, {
      unpacked,
      dirName,
      root,
      isWanted: isVendored,
      onFile: (parts) => {
        const hash = createHash('sha256');
        return {
          content: (part) => hash.update(part),
          end: () => checksums.set(checksumPath(parts), hash.digest('hex')),
        };
      },
    });
    markGeneratedFiles(unpacked);
    writeFileSync(join(unpacked, CHECKSUM_FILE), formatChecksums(checksums, checksum));
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error instanceof TsregError ? error : osError(error);
  }
}
