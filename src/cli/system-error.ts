/** Failures of the operating system that reached the command line as Node threw them. */
import { TsregError } from '../errors/error.ts';
import { describeOsError } from '../errors/os-error-text.ts';

/** True for failures that Node reports by the number of the operating system's error. */
export function isSystemError(error: unknown): error is Error & { readonly errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number';
}

/** `No such file or directory (os error 2)`. */
function describeSystemError(error: Error & { readonly errno: number }): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return describeOsError(code, error);
}

/**
 * What went wrong outside of the program, as Node threw it; null for all else, which is a bug. That may also be something
 * that Node was not started for (its `--permission`): then Node's words, behind the path that it is about, if any.
 */
export function describeFailure(error: unknown): string | null {
  if (isSystemError(error)) return describeSystemError(error);
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED')) return null;
  const resource = 'resource' in error && typeof error.resource === 'string' ? error.resource : '';
  return resource === '' ? error.message : `\`${resource}\`: ${error.message}`;
}

/** Runs `body`; a failure of the operating system comes back as the cause of `message`. */
export function withSystemContext<T>(message: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new TsregError(message, { cause: new TsregError(describeSystemError(error), { code: 'io' }) });
  }
}
