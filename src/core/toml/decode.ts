/**
 * Typed readers of TOML values. A decoder converts a value to the expected type or throws a `TomlTypeError` with
 * cargo's message. Tables are read in file order, so the first error in the file is reported. For the steps that errors
 * collect, see `Step` (type-error.ts). `decode-struct.ts` reads tables with known keys.
 */
import { debugText } from '../errors/debug-text.ts';
import { sortByKey } from '../files/sort-by-key.ts';
import { formatDecimal } from './format-decimal.ts';
import { TomlTypeError } from './type-error.ts';
import { DATETIME_KEY, type TomlTable, type TomlValue } from './value.ts';

/** The state that all decoders share while they read one document. */
export class DecodeContext {
  /** The path from the root to the value being read. */
  readonly path: (string | number)[] = [];
  /** Dotted names (`package.foo`) of keys that no decoder reads, in file order. */
  readonly unused: string[] = [];
  /** If false, `path` stays empty and an unused key throws `PathNeeded`. */
  readonly tracksPath: boolean;

  constructor({ tracksPath = true } = {}) {
    this.tracksPath = tracksPath;
  }

  /** Returns an error about the value being read. */
  error(message: string): TomlTypeError {
    return new TomlTypeError(message, this.path.slice());
  }

  /** Reads the entry `key` of the table or array being read. */
  entry<T>(key: string | number, value: TomlValue, decoder: Decoder<T>): T {
    if (!this.tracksPath) return decoder(value, this);
    this.path.push(key);
    try {
      return decoder(value, this);
    } catch (error) {
      addStep(error, typeof key === 'string' ? { kind: 'key', key } : { kind: 'call' });
      throw error;
    } finally {
      this.path.pop();
    }
  }

  /** Notes that no decoder reads the entry `key` of the table being read. */
  ignore(key: string): void {
    if (!this.tracksPath) throw new PathNeeded();
    this.unused.push([...this.path, key].join('.'));
  }
}

/** Thrown if the decoder must report a path but does not track paths. */
class PathNeeded extends Error {}

/**
 * Decodes a whole document. The first pass does not track paths, which suffices for nearly every document. If it fails
 * or finds an unused key, a second pass tracks them. Throws a `TomlTypeError`.
 */
export function decodeDocument<T>(
  decoder: Decoder<T>,
  document: TomlTable,
): { readonly value: T; readonly unused: readonly string[] } {
  try {
    return { value: decoder(document, new DecodeContext({ tracksPath: false })), unused: [] };
  } catch (error) {
    if (!(error instanceof TomlTypeError || error instanceof PathNeeded)) throw error;
  }
  const context = new DecodeContext();
  return { value: decoder(document, context), unused: context.unused };
}

/** A function that reads one value. Throws a `TomlTypeError`. */
export type Decoder<T> = (value: TomlValue, context: DecodeContext) => T;

/** The type that a decoder returns. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** Adds a step to an error if it is a `TomlTypeError`. */
function addStep(error: unknown, step: TomlTypeError['steps'][number]): void {
  if (error instanceof TomlTypeError) error.steps.push(step);
}

/**
 * Adds `count` steps to a new error and returns it: cargo's decoder has so many calls between the value and its
 * container.
 */
function stepped(error: TomlTypeError, count: number): TomlTypeError {
  for (let i = 0; i < count; i += 1) error.steps.push({ kind: 'call' });
  return error;
}

/** Returns the error ``invalid type: integer `1`, expected …``. */
export function invalidType(value: TomlValue, expected: string, context: DecodeContext): TomlTypeError {
  return stepped(context.error(`invalid type: ${describeValue(value)}, expected ${expected}`), 1);
}

/** Reads a string. */
export const string: Decoder<string> = (value, context) => {
  if (typeof value === 'string') return value;
  throw invalidType(value, 'a string', context);
};

/** Reads a boolean. */
export const boolean: Decoder<boolean> = (value, context) => {
  if (typeof value === 'boolean') return value;
  throw invalidType(value, 'a boolean', context);
};

/** Returns a decoder for integers within bounds. `name` is the type in messages (`u32`). */
export function integer(name: string, min: bigint, max: bigint): Decoder<bigint> {
  return (value, context) => {
    if (typeof value !== 'bigint' || isWide(value)) throw invalidType(value, name, context);
    if (value >= min && value <= max) return value;
    throw stepped(context.error(`invalid value: ${describeValue(value)}, expected ${name}`), 1);
  };
}

/** Returns a decoder for one of a closed list of strings. */
export function variant<T extends string>(...names: readonly T[]): Decoder<T> {
  return (value, context) => {
    const written = variantName(value, context);
    const known = names.find((name) => name === written);
    if (known === undefined) {
      const expected = names.map((name) => `\`${name}\``).join(', ');
      throw stepped(context.error(`unknown variant \`${written}\`, expected one of ${expected}`), 3);
    }
    return known;
  };
}

/** Returns the name of a variant: the string itself, or the only key of a table. */
function variantName(value: TomlValue, context: DecodeContext): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Map)) throw stepped(context.error('wanted string or table'), 1);
  const [name, ...others] = value.keys();
  if (name !== undefined && others.length === 0) return name;
  const count = name === undefined ? 'found 0 elements' : 'more than 1 element';
  throw stepped(context.error(`wanted exactly 1 element, ${count}`), 1);
}

/** Returns a decoder for strings without a problem. `check` returns the problem, or null. */
export function checkedString(check: (text: string) => string | null): Decoder<string> {
  return (value, context) => {
    const text = string(value, context);
    const problem = check(text);
    if (problem !== null) throw context.error(problem);
    return text;
  };
}

/** Returns a decoder for arrays. */
export function array<T>(element: Decoder<T>): Decoder<readonly T[]> {
  return (value, context) => {
    if (!Array.isArray(value)) throw invalidType(value, 'a sequence', context);
    const result: T[] = [];
    try {
      for (let i = 0; i < value.length; i += 1) {
        const item = value[i];
        if (item !== undefined) result.push(context.entry(i, item, element));
      }
    } catch (error) {
      addStep(error, { kind: 'call' });
      throw error;
    }
    return result;
  };
}

const checkedStrings = array(string);

/** Reads an array of strings. */
export const strings: Decoder<readonly string[]> = (value, context) =>
  isStrings(value) ? value : checkedStrings(value, context);

function isStrings(value: TomlValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/**
 * Returns a decoder for tables with any keys for which `check` returns no problem. Its result is sorted by key
 * (bytewise).
 */
export function map<T>(
  element: Decoder<T>,
  check: (key: string) => string | null = () => null,
): Decoder<ReadonlyMap<string, T>> {
  return (value, context) => {
    const table = asTable(value);
    if (table === null) throw invalidType(value, 'a map', context);
    const result = new Map<string, T>();
    // Here and in `struct`, `forEach` avoids iterator objects: a first run spends much of its time here.
    table.forEach((item, key) => {
      const problem = check(key);
      if (problem !== null) throw new TomlTypeError(problem, [...context.path, key], { isKey: true });
      result.set(key, context.entry(key, item, element));
    });
    return sortByKey(result);
  };
}

/** Returns a decoder like `decoder` whose errors have one more step: cargo's call for an optional field. */
export function optional<T>(decoder: Decoder<T>): Decoder<T> {
  return (value, context) => {
    try {
      return decoder(value, context);
    } catch (error) {
      addStep(error, { kind: 'call' });
      throw error;
    }
  };
}

/** The forms of a value that `oneOf` accepts. A form that is missing here is a type error. */
export interface Forms<T> {
  /** The expected forms, as messages name them. */
  readonly expected: string;
  readonly string?: (value: string, context: DecodeContext) => T;
  readonly boolean?: (value: boolean, context: DecodeContext) => T;
  readonly integer?: (value: bigint, context: DecodeContext) => T;
  readonly array?: Decoder<T>;
  readonly table?: Decoder<T>;
}

/**
 * Returns a decoder for a value that may have several forms. An error inside an array or table is reported for the
 * whole value, with its steps in the message.
 */
export function oneOf<T>(forms: Forms<T>): Decoder<T> {
  const readArray = forms.array === undefined ? undefined : flattened(forms.array);
  const readTable = forms.table === undefined ? undefined : flattened(forms.table);
  return optional((value, context) => {
    if (typeof value === 'string' && forms.string !== undefined) return forms.string(value, context);
    if (typeof value === 'boolean' && forms.boolean !== undefined) return forms.boolean(value, context);
    if (isSmallInteger(value) && forms.integer !== undefined) return forms.integer(value, context);
    if (Array.isArray(value) && readArray !== undefined) return readArray(value, context);
    const table = asTable(value);
    if (table !== null && readTable !== undefined) return readTable(table, context);
    // Here, cargo reads every positive integer beyond 64 bits as `u128`.
    const isUnsigned = typeof value === 'bigint' && value > 0n && isWide(value);
    const described = isUnsigned ? `integer \`${value}\` as u128` : describeValue(value);
    throw context.error(`invalid type: ${described}, expected ${forms.expected}`);
  });
}

/** Returns true for an integer that fits in 64 bits. */
function isSmallInteger(value: TomlValue): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

/** Returns true for an integer that fits in 64 bits neither with nor without a sign. */
function isWide(value: bigint): boolean {
  return !isSmallInteger(value) && BigInt.asUintN(64, value) !== value;
}

/**
 * Returns a decoder like `decoder` whose errors are about the whole value and have their former steps in the message,
 * with the names of keys unless `namesKeys` is false.
 */
export function flattened<T>(decoder: Decoder<T>, { namesKeys = true } = {}): Decoder<T> {
  return (value, context) => {
    try {
      return decoder(value, context);
    } catch (error) {
      if (!(error instanceof TomlTypeError)) throw error;
      let message = error.message;
      const steps = error.steps.slice();
      // cargo's message does not include the step of the array itself.
      if (Array.isArray(value)) steps.pop();
      for (const step of steps) {
        message += '\n';
        if (step.kind === 'key' && namesKeys) message += `in \`${step.key}\`\n`;
      }
      throw context.error(message);
    }
  };
}

/** Returns a value as a table, or null if it is something else. A date or time becomes a table with one key. */
export function asTable(value: TomlValue): TomlTable | null {
  if (value instanceof Map) return value;
  if (typeof value === 'object' && !Array.isArray(value)) {
    return new Map([[DATETIME_KEY, value.text]]);
  }
  return null;
}

/** Reads any value without changing it. Throws if an integer does not fit in 64 bits. */
export const anyValue: Decoder<TomlValue> = (value, context) => {
  if (typeof value === 'bigint' && !isSmallInteger(value)) {
    if (BigInt.asUintN(64, value) === value) throw context.error('u64 value was too large');
    throw context.error(`invalid type: ${describeValue(value)}, expected any valid TOML value`);
  }
  if (Array.isArray(value)) value.forEach((item, i) => context.entry(i, item, anyValue));
  else if (value instanceof Map) value.forEach((item, key) => context.entry(key, item, anyValue));
  return value;
};

/** Returns the name of a value for messages: ``integer `1` ``, `string "x"`, `sequence`, `map`. */
export function describeValue(value: TomlValue): string {
  switch (typeof value) {
    case 'string':
      return `string ${debugText(value)}`;
    case 'boolean':
      return `boolean \`${value}\``;
    case 'bigint': {
      if (!isWide(value)) return `integer \`${value}\``;
      return `integer \`${value}\` as ${BigInt.asIntN(128, value) === value ? 'i128' : 'u128'}`;
    }
    case 'number':
      return `floating point \`${formatDecimal(value)}\``;
    case 'object':
      return Array.isArray(value) ? 'sequence' : 'map';
  }
}
