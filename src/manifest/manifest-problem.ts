/** Failures of manifests. */
import { TsregError } from '../errors/error.ts';

/** A manifest that says something that cannot be. */
export function manifestProblem(message: string): TsregError {
  return new TsregError(message, { code: 'manifest' });
}
