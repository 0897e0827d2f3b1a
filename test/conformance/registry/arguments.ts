import type { Step } from './session.ts';

/** Splits a command line at its spaces; `'…'` holds words together, and `''` is an empty one. */
function words(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** A step for each command line. */
export function steps(...lines: readonly string[]): Step[] {
  return lines.map((line) => ({ args: words(line) }));
}

/** One step with what else there is to say about it. */
export function step(line: string, more: Omit<Step, 'args'> = {}): Step {
  return { args: words(line), ...more };
}
