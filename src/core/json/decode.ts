/**
 * Decoders of parsed JSON. They ignore unknown fields. Errors name the position: ``` `deps[2].name` must be a
 * string```.
 */
import { TsregError } from '../errors/error.ts';
import { sortByKey } from '../files/sort-by-key.ts';

/** A function that turns a value from outside into a known type. Throws a `ShapeError`. */
export type Decoder<T> = (value: unknown) => T;

/** The fields of an object. */
export type Fields = { readonly [name: string]: unknown };

/** A value of another form than expected. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
  readonly #problem: string;
  /** From the decoded value to the wrong one. */
  readonly #path: (string | number)[] = [];

  /**
   * `problem` follows the name of the value in the message. `isMissing` replaces it by "is missing", except for the
   * document itself.
   */
  constructor(problem: string, { isMissing = false } = {}) {
    super(`the document ${problem}`);
    this.#problem = isMissing ? 'is missing' : problem;
  }

  /** Adds the name or the index of the value that contains the value known so far. */
  addStep(step: string | number): void {
    this.#path.unshift(step);
    const path = this.#path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    this.message = `\`${path.replace(/^\./, '')}\` ${this.#problem}`;
  }
}

/**
 * Parses and decodes a document. Throws `source` if it is not UTF-8 JSON or has another form. `subject` names the
 * document in the error.
 */
export function decodeJson<T>(
  decoder: Decoder<T>,
  bytes: Uint8Array,
  { subject }: { readonly subject: string },
): T {
  const invalid = (problem: string) => new TsregError(`invalid ${subject}: ${problem}`, { code: 'source' });
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid('invalid UTF-8');
  }
  try {
    return decoder(JSON.parse(json));
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof ShapeError ? invalid(error.message) : error;
  }
}

/** Decodes a value. Returns null if it has another form. */
export function decodeOrNull<T>(decoder: Decoder<T>, value: unknown): T | null {
  try {
    return decoder(value);
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** Reads a string. */
export const string: Decoder<string> = (value) => {
  if (typeof value === 'string') return value;
  throw mismatch(value, 'a string');
};

/** Reads a string without NUL and lone surrogates, which not every database can store. */
export const text: Decoder<string> = (value) => {
  const unchecked = string(value);
  if (/[\0\ud800-\udfff]/u.test(unchecked)) throw new ShapeError('has characters that are not allowed');
  return unchecked;
};

/** Reads a boolean. */
export const boolean: Decoder<boolean> = (value) => {
  if (typeof value === 'boolean') return value;
  throw mismatch(value, 'true or false');
};

/** Reads a list of any values. */
export const list: Decoder<readonly unknown[]> = (value) => {
  if (Array.isArray(value)) return value;
  throw mismatch(value, 'a list');
};

/** Reads an object with any fields. */
export const fields: Decoder<Fields> = (value) => {
  if (isFields(value)) return value;
  throw mismatch(value, 'an object');
};

/** Returns a decoder for lists. */
export function array<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (value) => list(value).map((element, index) => within(index, item)(element));
}

/** Returns a decoder for objects with any names of fields. Its result is sorted by name (bytewise). */
export function map<T>(item: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return (value) => {
    const entries = Object.entries(fields(value));
    return sortByKey(new Map(entries.map(([name, content]) => [text(name), within(name, item)(content)])));
  };
}

/**
 * Returns a decoder that reads the field `name` of an object with `decoder`, which gets undefined for a missing field.
 */
export function field<T>(name: string, decoder: Decoder<T>): Decoder<T> {
  const decode = within(name, decoder);
  return (value) => decode(fields(value)[name]);
}

/**
 * Returns a decoder for objects: its result has, by the same names, the results of `decoders`. These get the whole
 * object, and usually read one field of it: see `field`.
 */
export function object<T extends object>(decoders: { readonly [K in keyof T]: Decoder<T[K]> }): Decoder<T> {
  return (value) => {
    const result: Partial<T> = {};
    for (const name in decoders) result[name] = decoders[name](value);
    if (!isComplete(result, decoders)) throw new TsregError('a field was not decoded', { code: 'bug' });
    return result;
  };
}

/** Returns a decoder like `decoder`, but with `fallback` for a value that is missing or null. */
export function orElse<T, F>(decoder: Decoder<T>, fallback: F): Decoder<T | F> {
  return (value) => (value === undefined || value === null ? fallback : decoder(value));
}

/** Returns a decoder like `decoder` whose errors have the additional step `step`. */
function within<T>(step: string | number, decoder: Decoder<T>): Decoder<T> {
  return (value) => {
    try {
      return decoder(value);
    } catch (error) {
      if (error instanceof ShapeError) error.addStep(step);
      throw error;
    }
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells TypeScript that a loop over all decoders has set all fields. */
function isComplete<T extends object>(result: Partial<T>, keys: object): result is T {
  return Object.keys(keys).every((key) => key in result);
}

function mismatch(value: unknown, expected: string): ShapeError {
  return new ShapeError(`must be ${expected}`, { isMissing: value === undefined || value === null });
}
