/** Errors about TOML values of the wrong type. */
import type { SpannedToml } from './parse.ts';
import type { Span } from './spans.ts';
import { TomlSyntaxError } from './syntax-error.ts';
import { DATETIME_KEY } from './value.ts';

/**
 * One step from the wrong value to a value that contains it: a call in cargo's decoder, or the key of an entry. Steps
 * matter only for a value that may have several forms. There, as in cargo, each step adds a line break to the message,
 * and a key its name.
 */
export type Step = { readonly kind: 'call' } | { readonly kind: 'key'; readonly key: string };

/** An unexpected value (or key). Decoders throw it. */
export class TomlTypeError extends Error {
  override readonly name = 'TomlTypeError';
  /** Keys and indexes from the root of the document to the value, or to the value whose key is wrong. */
  readonly path: readonly (string | number)[];
  /** True if the key is wrong, not its value. */
  readonly isKey: boolean;
  /** From the innermost value outwards. */
  readonly steps: Step[] = [];

  constructor(message: string, path: readonly (string | number)[], { isKey = false } = {}) {
    super(message);
    this.path = path;
    this.isKey = isKey;
  }
}

/** Returns a type error with its position: that of its key or value, or the start of the text for the root. */
export function locateTypeError(document: SpannedToml, error: TomlTypeError): TomlSyntaxError {
  const { path } = error;
  // A date that was read as a table has no keys to point at.
  const isInDate = path.at(-1) === DATETIME_KEY;
  const spans = document.find(isInDate ? path.slice(0, -1) : path);
  const { start, end }: Span = (error.isKey && !isInDate ? spans?.key : spans?.value) ?? { start: 0, end: 0 };
  return new TomlSyntaxError(error.message, start, end);
}
