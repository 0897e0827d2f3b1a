/** Vendors a package from its `.crate`. Cargo Book: cargo vendor. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { osError } from '../disk/errno.ts';
import { unpackInto } from './unpack-entries.ts';
import { markGeneratedFiles } from './unpack-package.ts';
import { CHECKSUM_FILE, checksumPath, formatChecksums, isVendored } from './vendored-files.ts';

/** The destination of a vendored `.crate`. */
export interface VendorCratePlace {
  /** Absolute folder in which the package's folder is created. */
  readonly parent: string;
  /** The package's `packageDirName`. */
  readonly dirName: string;
  /** Its final folder, for messages. */
  readonly root: string;
  /** The archive's checksum in the lock file; null if it has none. */
  readonly checksum: string | null;
}

/** Unpacks the files to vendor from a `.crate`, and writes their checksum file. A failure leaves nothing behind. */
export function vendorCrate(archive: Uint8Array, place: VendorCratePlace): void {
  const { parent, dirName, root, checksum } = place;
  const unpacked = join(parent, dirName);
  const checksums = new Map<string, string>();
  try {
    // A thread that died may have left a part of the package.
    rmSync(unpacked, { recursive: true, force: true });
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
    throw osError(error);
  }
}
