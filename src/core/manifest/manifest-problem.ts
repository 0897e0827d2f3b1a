/** Errors in manifests. */
import { TsregError } from '../errors/error.ts';
import type { Message } from '../errors/wording.ts';

/** Returns an error about the content of a manifest. */
export function manifestProblem(message: Message): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
