/** The error for a change that did not complete. */
import { TsregError } from '../core/errors/error.ts';

/**
 * A failure after which part of the change may be done, in a registry or in a store of tokens. It has the message, code
 * and causes of the original failure. `document` is the document that the function would have returned: it shows which
 * parts are done.
 */
export class UnfinishedError<T> extends TsregError {
  readonly document: T;

  constructor(failure: TsregError, document: T) {
    const { message, code, cause, snippet, verbose, hint } = failure;
    super(message, {
      code,
      verbose,
      ...(cause === undefined ? {} : { cause }),
      ...(snippet === null ? {} : { snippet }),
      ...(hint === null ? {} : { hint }),
    });
    this.document = document;
  }
}
