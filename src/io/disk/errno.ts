/** Operating system errors, as Node reports them and as cargo words them. */
import { TsregError } from '../../core/errors/error.ts';
import { describeOsError } from '../../core/errors/os-error-text.ts';

/** Returns the name of an operating system error, such as `ENOENT`; null for any other error. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TsregError) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/**
 * Returns the cause of a failed file operation as cargo prints it: `Permission denied (os error 13)`. Returns the
 * message of any other error.
 */
export function osErrorText(error: unknown): string {
  const code = errnoOf(error);
  if (!(error instanceof Error)) return String(error);
  if (code === null || !('errno' in error) || typeof error.errno !== 'number') return error.message;
  return describeOsError(code, { errno: error.errno, message: error.message });
}

/** Returns an operating system error as the root cause for a chain of errors; a `TsregError` unchanged. */
export function osError(error: unknown): TsregError {
  if (error instanceof TsregError) return error;
  return new TsregError(osErrorText(error), { code: 'io' });
}
