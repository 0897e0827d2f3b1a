import { TsregError } from '../errors/error.ts';
import { fromByteString, isUtf8 } from '../files/byte-path.ts';

const SPECIAL = ['\\', '<', '>', ':', '"', '|', '?', '*'];
const HAS_SPECIAL = /[\\<>:"|?*]/;
const RESERVED = /(?:^|\/)(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.[^/]*)?(?=\/|$)/i;

/** The manifest as it was written, beside the one that is made of it. */
export const ORIGINAL_MANIFEST = 'Cargo.toml.orig';
/** From which commit a package was made. */
export const VCS_INFO = '.cargo_vcs_info.json';

/** True for a file (its path in the package) that every archive may get, and the package cannot have. */
export function isReservedFileName(path: string): boolean {
  return path === ORIGINAL_MANIFEST || path === VCS_INFO;
}

/** True if `checkFileName` may have something to say of the path. */
export function isOddFileName(path: string): boolean {
  return RESERVED.test(path) || HAS_SPECIAL.test(path) || !isUtf8(path);
}

/**
 * Checks that a file (its path in the package, as a byte string) can be unpacked on other systems: throws in cargo's
 * words for a name that is not text or has a special character, and warns of one that Windows keeps for itself.
 */
export function checkFileName(path: string, warn: (text: string) => void): void {
  if (!isOddFileName(path)) return;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const shown = fromByteString(path);
  if (!isUtf8(name))
    throw new TsregError(
      `path does not have a unicode filename which may not unpack on all platforms: ${shown}`,
      { code: 'archive' },
    );
  const special = SPECIAL.find((char) => name.includes(char));
  if (special !== undefined)
    throw new TsregError(`cannot package a filename with a special character \`${special}\`: ${shown}`, {
      code: 'archive',
    });
  if (RESERVED.test(path))
    warn(`file ${shown} is a reserved Windows filename, it will not work on Windows platforms`);
}
