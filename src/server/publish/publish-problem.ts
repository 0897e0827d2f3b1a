import { TsregError } from '../../errors/error.ts';

/** What is wrong with what was sent, in plain words. */
export function publishProblem(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}

/** What is wrong with some part of it; does nothing for a null. */
export function refuseProblem(problem: string | null): void {
  if (problem !== null) throw publishProblem(problem);
}

/** Runs a parser of the project; what it says against a text becomes a part of the refusal. */
export function parsePart<T>(prefix: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw publishProblem(`${prefix}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
