/**
 * Typed readers of TOML values. A decoder turns a value into what is expected in its place or throws a
 * `TomlTypeError` in cargo's words. Tables are read in file order, so the first error in the file is shown.
 */
import { sortByKey } from '../files/sort-by-key.ts';
import { formatDecimal } from './format-decimal.ts';
import { TomlTypeError } from './type-error.ts';
import { DATETIME_KEY, type TomlTable, type TomlValue } from './value.ts';

/** What decoders share while they read one document. */
export class DecodeContext {
  /** From the root to the value that is being read. */
  readonly path: (string | number)[] = [];
  /** Keys that nothing reads, dotted (`package.foo`), in file order. */
  readonly unused: string[] = [];
  /** False for who only wants to know whether all is as it should be: `path` stays empty, and an unused key is an error. */
  readonly tracks: boolean;

  constructor(tracks = true) {
    this.tracks = tracks;
  }

  /** An error about the value that is being read. */
  error(message: string): TomlTypeError {
    return new TomlTypeError(message, this.path.slice());
  }

  /** Reads the entry `key` of the table or array that is being read. */
  entry<T>(key: string | number, value: TomlValue, decoder: Decoder<T>): T {
    if (!this.tracks) return decoder(value, this);
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

  /** Notes that nothing reads the entry `key` of the table that is being read. */
  ignore(key: string): void {
    if (!this.tracks) throw new PlaceNeeded();
    this.unused.push([...this.path, key].join('.'));
  }
}

/** Something is to be said of a place in a document, and nobody knows where that is. */
class PlaceNeeded extends Error {}

/**
 * Reads a whole document: once without its places, which is all that nearly every document needs, and then with them.
 * Throws a `TomlTypeError`.
 */
export function decodeDocument<T>(
  decoder: Decoder<T>,
  document: TomlTable,
): { readonly value: T; readonly unused: readonly string[] } {
  try {
    return { value: decoder(document, new DecodeContext(false)), unused: [] };
  } catch (error) {
    if (!(error instanceof TomlTypeError || error instanceof PlaceNeeded)) throw error;
  }
  const context = new DecodeContext();
  return { value: decoder(document, context), unused: context.unused };
}

/** Reads one value. */
export type Decoder<T> = (value: TomlValue, context: DecodeContext) => T;

/** What a decoder reads. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** A table whose keys are known; each but those in `R` may be missing. */
export type DecodedStruct<F, R extends keyof F = never> = {
  readonly [K in keyof F as K extends R ? never : K]?: Decoded<F[K]>;
} & { readonly [K in R]: Decoded<F[K]> };

function addStep(error: unknown, step: TomlTypeError['steps'][number]): void {
  if (error instanceof TomlTypeError) error.steps.push(step);
}

/** As `error`, for an error that leaves a value by `count` further steps. */
function stepped(error: TomlTypeError, count: number): TomlTypeError {
  for (let i = 0; i < count; i += 1) error.steps.push({ kind: 'call' });
  return error;
}

/** ``invalid type: integer `1`, expected …`` */
export function invalidType(value: TomlValue, expected: string, context: DecodeContext): TomlTypeError {
  return stepped(context.error(`invalid type: ${describeValue(value)}, expected ${expected}`), 1);
}

/** A string. */
export const string: Decoder<string> = (value, context) => {
  if (typeof value === 'string') return value;
  throw invalidType(value, 'a string', context);
};

/** A boolean. */
export const boolean: Decoder<boolean> = (value, context) => {
  if (typeof value === 'boolean') return value;
  throw invalidType(value, 'a boolean', context);
};

/** An integer within bounds; `name` is that of the type in messages (`u32`). */
export function integer(name: string, min: bigint, max: bigint): Decoder<bigint> {
  return (value, context) => {
    if (typeof value !== 'bigint') throw invalidType(value, name, context);
    if (value >= min && value <= max) return value;
    throw stepped(context.error(`invalid value: ${describeValue(value)}, expected ${name}`), 1);
  };
}

/** One of a closed list of strings. */
export function variant<T extends string>(...names: readonly T[]): Decoder<T> {
  const variants = new Map<string, T>(names.map((known) => [known, known]));
  return (value, context) => {
    const name = variantName(value, context);
    const found = variants.get(name);
    if (found === undefined) {
      const expected = names.map((known) => `\`${known}\``).join(', ');
      throw stepped(context.error(`unknown variant \`${name}\`, expected one of ${expected}`), 3);
    }
    return found;
  };
}

/** A variant is a string, or a table whose one key it is. */
function variantName(value: TomlValue, context: DecodeContext): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Map)) throw stepped(context.error('wanted string or table'), 1);
  const [name, ...others] = value.keys();
  if (name !== undefined && others.length === 0) return name;
  const found = name === undefined ? 'found 0 elements' : 'more than 1 element';
  throw stepped(context.error(`wanted exactly 1 element, ${found}`), 1);
}

/** A string that `check` accepts: it returns what is wrong, or null. */
export function checkedString(check: (text: string) => string | null): Decoder<string> {
  return (value, context) => {
    const text = string(value, context);
    const problem = check(text);
    if (problem !== null) throw context.error(problem);
    return text;
  };
}

/** An array. */
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

/** An array of strings. */
export const strings: Decoder<readonly string[]> = (value, context) =>
  isStrings(value) ? value : checkedStrings(value, context);

function isStrings(value: TomlValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** A table with any keys that `check` accepts; sorted by key (bytewise). */
export function map<T>(
  element: Decoder<T>,
  check: (key: string) => string | null = () => null,
): Decoder<ReadonlyMap<string, T>> {
  return (value, context) => {
    const table = asTable(value);
    if (table === null) throw invalidType(value, 'a map', context);
    const result = new Map<string, T>();
    // Here and below no loop makes objects of its own: these are among what a first run does most often.
    table.forEach((item, key) => {
      const problem = check(key);
      if (problem !== null) throw new TomlTypeError(problem, [...context.path, key], true);
      result.set(key, context.entry(key, item, element));
    });
    return sortByKey(result);
  };
}

/** How a struct's fields are read. */
export interface StructOptions<R extends string = never> {
  /** What happens to keys that are no fields; by default they are noted as unused. */
  readonly onUnknown?: (key: string, value: TomlValue, context: DecodeContext) => void;
  /** Keys that must be there. */
  readonly required?: readonly R[];
  /** Keys that stand for some value where they are missing. */
  readonly withDefault?: readonly string[];
  /**
   * What an array is: the values of all fields in their order, those of the first fields, or (`false`) of the
   * wrong type.
   */
  readonly asArray?: 'all' | 'some' | false;
  /**
   * `(fields) => ({ ...fields })`, written where the struct is, for one that is read very often: an engine copies fast
   * where it always copies the same shape.
   */
  readonly copy?: (fields: Record<string, unknown>) => Record<string, unknown>;
}

const copyFields: NonNullable<StructOptions['copy']> = (fields) => ({ ...fields });

interface Field {
  readonly key: string;
  readonly decoder: Decoder<unknown>;
  /** As `decoder`, for a context that tracks nothing. */
  readonly untracked: Decoder<unknown>;
}

/** A table with known keys. `name` is that of the type in messages (`TomlPackage`). */
export function struct<
  F extends Readonly<Record<string, Decoder<unknown>>>,
  R extends keyof F & string = never,
>(name: string, fields: F, options: StructOptions<R> = {}): Decoder<DecodedStruct<F, R>> {
  const { onUnknown, withDefault = [], asArray = 'all', copy = copyFields } = options;
  const required: readonly string[] = options.required ?? [];
  const known = new Map<string, Field>();
  for (const [key, decoder] of Object.entries(fields)) {
    const isPlain = required.includes(key) || withDefault.includes(key);
    known.set(key, { key, decoder: isPlain ? decoder : optional(decoder), untracked: decoder });
  }
  // What is read has all fields, so that all of it has one shape and nobody who uses it has to ask which.
  const blank: Record<string, unknown> = Object.fromEntries(
    Object.keys(fields).map((key) => [key, undefined]),
  );
  return (value, context) => {
    const table = asTable(value);
    if (table === null) {
      if (!Array.isArray(value) || asArray === false) throw invalidType(value, `struct ${name}`, context);
      const [read, count] = structOfArray(value, known, context);
      const size = `${known.size} element${known.size === 1 ? '' : 's'}`;
      if (asArray === 'some' || count === known.size) return read as DecodedStruct<F, R>;
      throw context.error(`invalid length ${count}, expected struct ${name} with ${size}`);
    }
    const { tracks } = context;
    const result = copy(blank);
    table.forEach((item, key) => {
      const field = known.get(key);
      if (field !== undefined) {
        result[field.key] = tracks
          ? context.entry(field.key, item, field.decoder)
          : field.untracked(item, context);
      } else if (onUnknown === undefined) context.ignore(key);
      else onUnknown(key, item, context);
    });
    required.forEach((key) => {
      if (!table.has(key)) throw context.error(`missing field \`${key}\``);
    });
    // Every field was made by the decoder of its key.
    return result as DecodedStruct<F, R>;
  };
}

/** A field that may be missing is one step further out. */
function optional<T>(decoder: Decoder<T>): Decoder<T> {
  return (value, context) => {
    try {
      return decoder(value, context);
    } catch (error) {
      addStep(error, { kind: 'call' });
      throw error;
    }
  };
}

/** Reads an array as the values of the fields in their order: what was read, and how many were there. */
function structOfArray(
  items: readonly TomlValue[],
  fields: ReadonlyMap<string, Field>,
  context: DecodeContext,
): readonly [Record<string, unknown>, number] {
  const result: Record<string, unknown> = {};
  let count = 0;
  for (const { key, decoder } of fields.values()) {
    const item = items[count];
    if (item === undefined) break;
    result[key] = context.entry(count, item, decoder);
    count += 1;
  }
  return [result, count];
}

/** The forms in which `oneOf` reads a value; those that are missing are of the wrong type. */
export interface Forms<T> {
  /** How messages name what is expected. */
  readonly expected: string;
  readonly string?: (value: string, context: DecodeContext) => T;
  readonly boolean?: (value: boolean, context: DecodeContext) => T;
  readonly integer?: (value: bigint, context: DecodeContext) => T;
  readonly array?: Decoder<T>;
  readonly table?: Decoder<T>;
}

/**
 * A value that may have several forms. Errors inside an array or table are shown on the whole value, and
 * their way out is written into the message.
 */
export function oneOf<T>(forms: Forms<T>): Decoder<T> {
  return optional((value, context) => {
    if (typeof value === 'string' && forms.string !== undefined) return forms.string(value, context);
    if (typeof value === 'boolean' && forms.boolean !== undefined) return forms.boolean(value, context);
    if (isSmallInteger(value) && forms.integer !== undefined) return forms.integer(value, context);
    if (Array.isArray(value) && forms.array !== undefined) return erased(forms.array, value, context, true);
    const table = asTable(value);
    if (table !== null && forms.table !== undefined) return erased(forms.table, table, context, true);
    throw context.error(`invalid type: ${describeValue(value)}, expected ${forms.expected}`);
  });
}

function isSmallInteger(value: TomlValue): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

/** Runs `decoder`; an error out of it becomes one about this value, with its steps in the message. */
export function erased<T>(
  decoder: Decoder<T>,
  value: TomlValue,
  context: DecodeContext,
  namesKeys: boolean,
): T {
  try {
    return decoder(value, context);
  } catch (error) {
    if (!(error instanceof TomlTypeError)) throw error;
    let message = error.message;
    const steps = error.steps.slice();
    // The container itself is not called a second time.
    if (Array.isArray(value)) steps.pop();
    for (const step of steps) {
      message += '\n';
      if (step.kind === 'key' && namesKeys) message += `in \`${step.key}\`\n`;
    }
    throw context.error(message);
  }
}

/** A value as a table, a date or time being one of a single key; null if it is something else. */
export function asTable(value: TomlValue): TomlTable | null {
  if (value instanceof Map) return value;
  if (typeof value === 'object' && !Array.isArray(value)) {
    return new Map([[DATETIME_KEY, value.text]]);
  }
  return null;
}

/** Any value, as it is. Integers must have 64 bits. */
export const anyValue: Decoder<TomlValue> = (value, context) => {
  if (typeof value === 'bigint' && !isSmallInteger(value)) {
    if (BigInt.asUintN(64, value) === value) throw context.error('u64 value was too large');
    throw context.error(`invalid type: ${describeValue(value)}, expected any valid TOML value`);
  }
  if (Array.isArray(value)) value.forEach((item, i) => context.entry(i, item, anyValue));
  else if (value instanceof Map) value.forEach((item, key) => context.entry(key, item, anyValue));
  return value;
};

/** How messages name a value: ``integer `1` ``, `string "x"`, `sequence`, `map`. */
export function describeValue(value: TomlValue): string {
  switch (typeof value) {
    case 'string':
      return `string ${quote(value)}`;
    case 'boolean':
      return `boolean \`${value}\``;
    case 'bigint': {
      const isWide = !isSmallInteger(value) && BigInt.asUintN(64, value) !== value;
      const type = isWide ? (BigInt.asIntN(128, value) === value ? ' as i128' : ' as u128') : '';
      return `integer \`${value}\`${type}`;
    }
    case 'number':
      return `floating point \`${formatDecimal(value)}\``;
    case 'object':
      return Array.isArray(value) ? 'sequence' : 'map';
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
};

/** A string in quotes, with what cannot be seen escaped. */
function quote(text: string): string {
  const escaped = text.replace(
    /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}\p{Co}]|(?! )\p{Zs}/gu,
    (c) => ESCAPES[c] ?? `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped}"`;
}
