/** Annotated source lines of errors that do not stop the operation. */
import { TsregError } from '../errors/error.ts';
import type { Report } from './report.ts';

/** Reports the annotated source lines of `error` and its causes, as cargo prints them even if it ignores the error. */
export function reportSnippets(error: unknown, report: Report): void {
  for (let cause = error; cause instanceof TsregError; cause = cause.cause) {
    if (cause.snippet !== null) report.snippet(cause.snippet);
  }
}
