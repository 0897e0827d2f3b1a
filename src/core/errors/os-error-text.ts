/** Messages of the operating system for its errors, as cargo prints them. */
import { sep } from 'node:path';
import { getSystemErrorMap } from 'node:util';

const onWindows = sep === '\\';

/** The messages of glibc. */
const UNIX_TEXTS: Readonly<Record<string, string>> = {
  EPERM: 'Operation not permitted',
  ENOENT: 'No such file or directory',
  EBADF: 'Bad file descriptor',
  EIO: 'Input/output error',
  EACCES: 'Permission denied',
  EBUSY: 'Device or resource busy',
  EEXIST: 'File exists',
  EXDEV: 'Invalid cross-device link',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  EINVAL: 'Invalid argument',
  EMFILE: 'Too many open files',
  EFBIG: 'File too large',
  ENOSPC: 'No space left on device',
  EROFS: 'Read-only file system',
  ENAMETOOLONG: 'File name too long',
  ENOTEMPTY: 'Directory not empty',
  ELOOP: 'Too many levels of symbolic links',
  EDQUOT: 'Disk quota exceeded',
};

/** The messages of Windows. Node maps several of its errors to one code; these are the usual ones. */
const WINDOWS_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'The system cannot find the file specified. (os error 2)',
  EMFILE: 'The system cannot open the file. (os error 4)',
  EPERM: 'Access is denied. (os error 5)',
  EACCES: 'Access is denied. (os error 5)',
  EISDIR: 'Access is denied. (os error 5)',
  EXDEV: 'The system cannot move the file to a different disk drive. (os error 17)',
  EROFS: 'The media is write protected. (os error 19)',
  EBUSY: 'The process cannot access the file because it is being used by another process. (os error 32)',
  EINVAL: 'The parameter is incorrect. (os error 87)',
  ENOSPC: 'There is not enough space on the disk. (os error 112)',
  ENOTEMPTY: 'The directory is not empty. (os error 145)',
  EEXIST: 'Cannot create a file when that file already exists. (os error 183)',
  ENAMETOOLONG: 'The filename or extension is too long. (os error 206)',
  ENOTDIR: 'The directory name is invalid. (os error 267)',
};

/** Linux's numbers of errors that the program detects without the operating system. */
const NUMBERS = { ENOENT: 2, EBADF: 9, EEXIST: 17, ENOTDIR: 20, EISDIR: 21 };

/** Returns the message for a code: `No such file or directory (os error 2)` for ENOENT. */
export function describeErrno(code: keyof typeof NUMBERS): string {
  return textOf(code, NUMBERS[code]) ?? code;
}

/**
 * Returns the message for an error by Node's code and number: `Permission denied (os error 13)`. Uses `message` if Node
 * does not know it.
 */
export function describeOsError(
  code: string | null,
  { errno, message }: { readonly errno: number; readonly message: string },
): string {
  const [name, text] = getSystemErrorMap().get(errno) ?? [];
  const knownText = textOf(code ?? name ?? '', errno);
  if (knownText !== null) return knownText;
  // Node's number has no meaning on Windows.
  if (onWindows) return text === undefined ? message : capitalized(text);
  return `${capitalized(text ?? message)} (os error ${Math.abs(errno)})`;
}

/** Returns the message with its number; null if the tables do not have the code. Texts of Windows have the number. */
function textOf(code: string, errno: number): string | null {
  if (onWindows) return WINDOWS_TEXTS[code] ?? null;
  const text = UNIX_TEXTS[code];
  return text === undefined ? null : `${text} (os error ${Math.abs(errno)})`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
