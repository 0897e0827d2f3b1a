/** The text of an error, for commands that report it and continue. */
import { type Snippet, TsregError } from '../../core/errors/error.ts';
import { errnoOf, osErrorText } from './errno.ts';

/**
 * Returns the message of an error and its causes, with `: ` between them. A message about a position in a file begins
 * with the path and the line. Throws an error that is a bug.
 */
export function failureText(error: unknown): string {
  if (errnoOf(error) !== null) return osErrorText(error);
  if (!(error instanceof TsregError)) throw error;
  const { message, cause, snippet } = error;
  const text = snippet === null ? message : `${placeOf(snippet)}: ${message}`;
  return cause === undefined ? text : `${text}: ${failureText(cause)}`;
}

/** Returns the path and the line, as in `FOLDER/Cargo.toml:3`. */
function placeOf({ path, text, span }: Snippet): string {
  return `${path}:${text.slice(0, span.start).split('\n').length}`;
}
