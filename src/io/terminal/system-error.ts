/** Errors of the operating system, as Node throws them. */
import { TsregError } from '../../core/errors/error.ts';
import { describeOsError } from '../../core/errors/os-error-text.ts';

/** Returns true for errors with the error number of the operating system, which Node makes negative. */
export function isSystemError(error: unknown): error is Error & { readonly errno: number } {
  return error instanceof Error && 'errno' in error && typeof error.errno === 'number';
}

/** Returns the error as in Rust: `No such file or directory (os error 2)`. */
function describeSystemError(error: Error & { readonly errno: number }): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return describeOsError(code, error);
}

/**
 * Describes an error that Node throws for a cause outside the program; returns null for all others, which are bugs. If
 * Node's `--permission` denies access, returns Node's message, after the path that it is about if known.
 */
export function describeFailure(error: unknown): string | null {
  if (isSystemError(error)) return describeSystemError(error);
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED')) return null;
  const resource = 'resource' in error && typeof error.resource === 'string' ? error.resource : '';
  return resource === '' ? error.message : `\`${resource}\`: ${error.message}`;
}

/** Runs `body`. Wraps an error of the operating system: `message` becomes the error, and the original its cause. */
export function withSystemContext<T>(message: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new TsregError(message, { cause: new TsregError(describeSystemError(error), { code: 'io' }) });
  }
}
