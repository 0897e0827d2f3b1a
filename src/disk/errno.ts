/** Failures of the operating system, as Node reports them and as cargo words them. */
import { TsregError } from '../errors/error.ts';
import { describeOsError } from '../errors/os-error-text.ts';

/** The name of the operating system's error (`ENOENT`), or null for anything else. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TsregError) return null;
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** `Permission denied (os error 13)`, as cargo prints the cause of a failed file operation. */
export function osErrorText(error: unknown): string {
  const code = errnoOf(error);
  if (!(error instanceof Error)) return String(error);
  if (code === null || !('errno' in error) || typeof error.errno !== 'number') return error.message;
  return describeOsError(code, { errno: error.errno, message: error.message });
}

/** The root cause of a chain of errors that an operation of the operating system started. */
export function osError(error: unknown): TsregError {
  return new TsregError(osErrorText(error), { code: 'io' });
}
