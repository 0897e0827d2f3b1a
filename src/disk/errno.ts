/** Failures of the operating system, as Node reports them and as cargo words them. */
import { getSystemErrorMap } from 'node:util';
import { TsregError } from '../errors/error.ts';

/** The name of the operating system's error (`ENOENT`), or null for anything else. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TsregError) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const TEXTS: Readonly<Record<string, string>> = {
  EPERM: 'Operation not permitted',
  ENOENT: 'No such file or directory',
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

/** `Permission denied (os error 13)`, as cargo prints the cause of a failed file operation. */
export function osErrorText(error: unknown): string {
  const code = errnoOf(error);
  if (!(error instanceof Error)) return String(error);
  if (code === null || !('errno' in error) || typeof error.errno !== 'number') return error.message;
  const text = TEXTS[code] ?? getSystemErrorMap().get(error.errno)?.[1] ?? code;
  return `${text} (os error ${Math.abs(error.errno)})`;
}

/** The root cause of a chain of errors that an operation of the operating system started. */
export function osError(error: unknown): TsregError {
  return new TsregError(osErrorText(error), { code: 'io' });
}
