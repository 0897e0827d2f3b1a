/** The names that files in a package may have. Cargo Book: cargo-package(1). */
import { TsregError } from '../../core/errors/error.ts';
import { fromByteString, isUtf8 } from '../../core/files/byte-path.ts';

/** The characters that cargo refuses in a name, in the order in which it looks for them. */
const SPECIAL = ['\\', '<', '>', ':', '"', '|', '?', '*'];
/** A path with a name that Windows reserves, by cargo's shorter list. `portable-name.ts` has all names. */
const RESERVED = /(?:^|\/)(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.[^/]*)?(?=\/|$)/i;

/** Name of the manifest as written, which is archived next to the generated one. */
export const ORIGINAL_MANIFEST = 'Cargo.toml.orig';
/** Name of the file with the commit that a package was made from. */
export const VCS_INFO = '.cargo_vcs_info.json';

/** Returns true for the path (in the package) of a file that only archives may contain, not packages. */
export function isReservedFileName(path: string): boolean {
  return path === ORIGINAL_MANIFEST || path === VCS_INFO;
}

/** Returns true if `checkFileName` may throw or warn about the path. */
export function isOddFileName(path: string): boolean {
  return RESERVED.test(path) || SPECIAL.some((char) => path.includes(char)) || !isUtf8(path);
}

/**
 * Checks that a file (its path in the package, as a byte string) can be unpacked on other systems. Throws `archive`, in
 * cargo's words, if the name is not UTF-8 or has a special character. Warns about a name that Windows reserves.
 */
export function checkFileName(path: string, warn: (text: string) => void): void {
  if (!isOddFileName(path)) return;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const shownPath = fromByteString(path);
  if (!isUtf8(name))
    throw new TsregError(
      `path does not have a unicode filename which may not unpack on all platforms: ${shownPath}`,
      { code: 'archive' },
    );
  const special = SPECIAL.find((char) => name.includes(char));
  if (special !== undefined)
    throw new TsregError(`cannot package a filename with a special character \`${special}\`: ${shownPath}`, {
      code: 'archive',
    });
  if (RESERVED.test(path))
    warn(`file ${shownPath} is a reserved Windows filename, it will not work on Windows platforms`);
}
