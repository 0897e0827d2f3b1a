import type { Answer } from '../helpers/answer.ts';

/**
 * Returns cargo's result of `info` with the further lines of the description indented as tsreg prints them:
 * docs/differences.md, "info".
 */
export function withIndentedDescription(answer: Answer): Answer {
  const lines = answer.stdout.split('\n');
  const end = lines.findIndex((line) => /^(?:\u001b\[\d+m)*version:/.test(line));
  // The name is above the description.
  const stdout = lines.map((line, at) => (at > 1 && at < end && /^\S/.test(line) ? `    ${line}` : line));
  return { ...answer, stdout: stdout.join('\n') };
}
