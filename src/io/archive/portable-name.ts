/** Checks for names that mean the same on every system. */

/** The device names in Microsoft's "Naming Files, Paths, and Namespaces", with any suffix. */
const WINDOWS_RESERVED = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;
/** The file by which cargo marks a package as completely unpacked. */
export const READY_FILE = '.cargo-ok';

/** Returns what is wrong with the characters of one path component, as the end of a sentence; null if it is valid. */
export function characterProblem(name: string): string | null {
  // Bytes that are not UTF-8 have become replacement characters.
  if (/[\0-\x1f\x7f-\x9f\ufffd]/.test(name)) return 'has characters that are not allowed';
  const special = /[\\<>:"|?*]/.exec(name);
  return special === null ? null : `has the special character \`${special[0]}\``;
}

/** Like `characterProblem`, for names that some systems do not support. */
export function portableNameProblem(name: string): string | null {
  if (/[. ]$/.test(name)) return 'ends in a dot or a space, which Windows removes';
  if (WINDOWS_RESERVED.test(name)) return 'has a name that Windows reserves';
  return null;
}

/**
 * Returns true if a path would replace the file that marks a package as unpacked, which makes it impossible to unpack.
 * `parts` is relative to the top folder. A file with exactly that name is harmless, as clients skip it.
 */
export function hidesReadyFile(
  parts: readonly string[],
  { isFolder }: { readonly isFolder: boolean },
): boolean {
  const [first = ''] = parts;
  if (foldPath(first) !== foldPath(READY_FILE)) return false;
  return parts.length > 1 || isFolder || first !== READY_FILE;
}

/**
 * Folds a path, so that two paths become equal if a file system may not distinguish them: ignores case and Unicode
 * form. `ß` equals `ss`, as on some systems.
 */
export function foldPath(path: string): string {
  return path.normalize('NFD').toUpperCase().normalize('NFD');
}
