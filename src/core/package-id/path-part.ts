/** External text that becomes one part of a path. */
import { TsregError } from '../errors/error.ts';

/** Device names on Windows. A file with such a name, with any extension, is the device. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:$|\.)/i;
/** Separators, characters that names cannot have, drives, and dots and spaces at the end, which Windows drops. */
const UNSAFE = /[/\\\x00-\x1f\x7f]|^[A-Za-z]:|[. ]$|^$/;

/**
 * Returns true if every file system accepts `text` as a name in a single folder: false for `.`, `..`, text with a
 * separator, a control character or a drive, and names that are reserved on Windows.
 */
function isPathPart(text: string): boolean {
  return !UNSAFE.test(text) && !DEVICE.test(text);
}

/** Returns `text` if it passes `isPathPart`. Throws `source` otherwise. */
export function pathPart(text: string): string {
  if (isPathPart(text)) return text;
  const reason = DEVICE.test(text) ? ': Windows reserves this name' : '';
  throw new TsregError(`${JSON.stringify(text)} cannot be a part of a path${reason}`, { code: 'source' });
}

/**
 * Checks like `pathPart`, for a folder name with external parts. Names that Windows reserves pass, because no such
 * folder can exist there.
 */
export function folderName(text: string): string {
  return UNSAFE.test(text) ? pathPart(text) : text;
}

/**
 * Returns true if an index or a lock file may use this package name: letters, digits, `-` and `_`, and not a name that
 * is reserved on Windows. Unlike in manifests, any of these may be the first character.
 */
export function isIndexedName(name: string): boolean {
  return /^(?:[\w-]+|[\p{XID_Continue}-]+)$/u.test(name) && isPathPart(name);
}
