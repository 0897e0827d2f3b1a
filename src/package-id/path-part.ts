/** Text from outside that becomes one part of a path. */
import { TsregError } from '../errors/error.ts';

/** Devices of Windows: a file of that name, with any extension, is the device. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:$|\.)/i;
/** What separates parts, cannot be in a name, or is a drive; and dots and spaces at the end, which Windows drops. */
const UNSAFE = /[/\\\x00-\x1f\x7f]|^[A-Za-z]:|[. ]$|^$/;

/**
 * True if every file system takes `text` for a name in the folder where it stands: false for `.`, `..`, whatever has a
 * separator, a control character or a drive in it, and names that are reserved on Windows.
 */
function isPathPart(text: string): boolean {
  return !UNSAFE.test(text) && !DEVICE.test(text);
}

/** Returns `text` if `isPathPart` holds. Throws otherwise, whatever checks came before. */
export function pathPart(text: string): string {
  if (isPathPart(text)) return text;
  throw new TsregError(`${JSON.stringify(text)} cannot be a part of a path`, { code: 'source' });
}

/** As `pathPart`, for a folder that others named in part. One whose name Windows reserves passes: it cannot be made there. */
export function folderName(text: string): string {
  return UNSAFE.test(text) ? pathPart(text) : text;
}

/**
 * True if an index or a lock file may name a package so: letters, digits, `-` and `_`, and no name that is reserved on
 * Windows. Wider than the rule for manifests in that the first character may be any of these.
 */
export function isIndexedName(name: string): boolean {
  return /^(?:[\w-]+|[\p{XID_Continue}-]+)$/u.test(name) && isPathPart(name);
}
