/** The `resolver` key. Cargo Book: Dependency Resolution, Resolver versions. */
import { manifestProblem } from './manifest-problem.ts';
import type { Edition, Resolver } from './manifest.ts';

/** Reads `resolver`. Throws `manifest` in cargo's words. */
export function parseResolver(text: string): Resolver {
  if (text === '1' || text === '2' || text === '3') return text;
  throw manifestProblem(`\`resolver\` setting \`${text}\` is not valid, valid options are "1", "2" or "3"`);
}

/** Returns the resolver that an edition implies. */
export function defaultResolver(edition: Edition): Resolver {
  if (edition === '2024') return '3';
  return edition === '2021' ? '2' : '1';
}
