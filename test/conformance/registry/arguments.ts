import type { Step } from './session.ts';

/** Splits a command line at its spaces. `'…'` keeps words together, and `''` is an empty argument. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** Returns a step for each command line. */
export function steps(...lines: readonly string[]): Step[] {
  return lines.map((line) => ({ args: words(line) }));
}

/** Returns one step with the fields of `more`. */
export function step(line: string, more: Omit<Step, 'args'> = {}): Step {
  return { args: words(line), ...more };
}
