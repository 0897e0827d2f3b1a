/** Errors of libgit2, the library that cargo uses for git. */
import { TsregError } from '../../core/errors/error.ts';

/**
 * Returns an error with the code `git` in libgit2's format, which cargo's users know. `className` and `code` include
 * their numbers.
 */
export function libgit2Error(message: string, className: string, code?: string): TsregError {
  const suffix = code === undefined ? '' : `; code=${code}`;
  return new TsregError(`${message}; class=${className}${suffix}`, { code: 'git' });
}
