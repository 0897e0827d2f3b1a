/** Errors of reading archives. */
import { TsregError } from '../../core/errors/error.ts';

/** Returns the error for a damaged, malicious or unsupported archive. */
export function archiveError(message: string): TsregError {
  return new TsregError(message, { code: 'archive' });
}
