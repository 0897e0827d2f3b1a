/** What is known of a change that ended before its time. */
import { TsregError } from '../errors/error.ts';

/**
 * A failure after which something may have changed in a registry. Message, code and causes are those of what went wrong;
 * `document` says what was done, and what was not, as the function would have given it.
 */
export class UnfinishedError<T> extends TsregError {
  readonly document: T;

  constructor(failure: TsregError, document: T) {
    const { message, code, cause, snippet, verbose, hint } = failure;
    super(message, {
      ...{ code, verbose },
      ...(cause === undefined ? {} : { cause }),
      ...(snippet === null ? {} : { snippet }),
      ...(hint === null ? {} : { hint }),
    });
    this.document = document;
  }
}
