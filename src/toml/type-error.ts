/** A TOML value of the wrong shape. */
import type { SpannedToml } from './parse.ts';
import type { Span } from './spans.ts';
import { TomlSyntaxError } from './syntax-error.ts';
import { DATETIME_KEY } from './value.ts';

/**
 * One step of a type error's way out of the values that it is in. It only matters where a value is tried in
 * several forms: each step then leaves its trace in the message, as it does in cargo's.
 */
export type Step = { readonly kind: 'call' } | { readonly kind: 'key'; readonly key: string };

/** A value (or key) that is not what was expected there; thrown by decoders. */
export class TomlTypeError extends Error {
  override readonly name = 'TomlTypeError';
  /** Keys and indexes from the root of the document to the value, or to the value whose key is wrong. */
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  /** From the innermost value outwards. */
  readonly steps: Step[] = [];

  constructor(message: string, path: readonly (string | number)[], isKey = false) {
    super(message);
    this.path = path;
    this.isKey = isKey;
  }
}

/** Where in its document a type error is: the place of its key or value, the start of the text for the root. */
export function locateTypeError(document: SpannedToml, error: TomlTypeError): TomlSyntaxError {
  const { path } = error;
  // A date that was taken for a table has no keys to point at.
  const isInDate = path.at(-1) === DATETIME_KEY;
  const spans = document.find(isInDate ? path.slice(0, -1) : path);
  const { start, end }: Span = (error.isKey && !isInDate ? spans?.key : spans?.value) ?? { start: 0, end: 0 };
  return new TomlSyntaxError(error.message, start, end);
}
