/** Names of files that mean the same on every system. */

const RESERVED = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
const READY_FILE = '.cargo-ok';

/** What is wrong with the characters of one name of a path, as the end of a sentence; null if nothing is. */
export function characterProblem(name: string): string | null {
  // What could not be text has become a replacement character.
  if (/[\0-\x1f\x7f-\x9f\ufffd]/.test(name)) return 'has characters that are not allowed';
  const special = /[\\<>:"|?*]/.exec(name);
  return special === null ? null : `has the special character \`${special[0]}\``;
}

/** As `characterProblem`, for a name that some systems cannot have. */
export function portableNameProblem(name: string): string | null {
  if (/[. ]$/.test(name)) return 'ends in a dot or a space, which Windows removes';
  if (RESERVED.test(name)) return 'has a name that Windows reserves';
  return null;
}

/**
 * True for a path, by its parts seen from the top folder, that takes the place of the file by which clients know that a package
 * is unpacked: none can unpack it. A file of the very name does not, as they leave that out.
 */
export function hidesReadyFile(parts: readonly string[], isFolder: boolean): boolean {
  const [first = ''] = parts;
  if (foldPath(first) !== foldPath(READY_FILE)) return false;
  return parts.length > 1 || isFolder || first !== READY_FILE;
}

/**
 * A text that two paths share if a file system may not tell them apart: without case, and in one form of Unicode. Some
 * systems take `ß` and `ss` for the same, so this does.
 */
export function foldPath(path: string): string {
  return path.normalize('NFD').toUpperCase().normalize('NFD');
}
