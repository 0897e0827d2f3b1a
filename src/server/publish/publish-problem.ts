import { TsregError } from '../../core/errors/error.ts';

/** Returns the error for invalid data in a request to publish. */
export function publishProblem(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}

/** Throws a `publishProblem`, unless `problem` is null. */
export function refuseProblem(problem: string | null): void {
  if (problem !== null) throw publishProblem(problem);
}

/** Runs a parser. Throws its error as a `publishProblem` with `prefix`. */
export function parsePart<T>(prefix: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw publishProblem(`${prefix}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
