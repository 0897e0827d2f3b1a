/** Failures of manifests. */
import { TsregError } from '../errors/error.ts';
import type { Message } from '../errors/wording.ts';

/** A manifest that says something that cannot be. */
export function manifestProblem(message: Message): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
