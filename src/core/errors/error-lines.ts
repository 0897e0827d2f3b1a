/** The short text of an error, for JSON documents. */
import { TsregError } from './error.ts';

/** Returns the first line of the message of an error and of each of its causes, outermost first. */
export function errorLines(error: unknown): string {
  const lines: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    lines.push(cause.message.split(/\r?\n/, 1).join(''));
    if (!(cause instanceof TsregError)) break;
  }
  return lines.join('\n');
}
