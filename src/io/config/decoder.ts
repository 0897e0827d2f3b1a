/** Typed decoding of configuration values from files and environment. Cargo Book: Configuration. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { TsregError } from '../../core/errors/error.ts';
import { childKey, entryKey, formatKey } from './config-key.ts';
import { configError, expectedContainer, expectedScalar, withKeyContext } from './config-error.ts';
import type { ConfigTable, ConfigValue } from './config-value.ts';
import { describeDefinition, type Located } from './definition.ts';
import {
  definitionAt,
  hasVariable,
  invalidValue,
  isSet,
  missingKey,
  type Place,
  readAnyValue,
  readScalar,
  type ScalarType,
  splitWords,
  tableAt,
  withVariableItems,
} from './place.ts';

/** A function that reads a value. Throws `config`, in cargo's words, if it is missing or has another type. */
export type Decoder<T> = (place: Place) => T;

/** A function that decodes one item of a list, which has no key itself. */
export type ItemDecoder<T> = (item: ConfigValue) => T;

const STRING: ScalarType<string> = {
  name: 'a string',
  fromConfig: (value) => (value.type === 'string' ? value.value : null),
  parse: String,
};

const BOOLEAN: ScalarType<boolean> = {
  name: 'true/false',
  fromConfig: (value) => (value.type === 'boolean' ? value.value : null),
  parse: parseBoolean,
};

const INTEGER: ScalarType<bigint> = {
  name: 'an integer',
  fromConfig: (value) => (value.type === 'integer' ? value.value : null),
  parse: parseInteger,
};

/** Reads a string: `http.proxy = "a:80"` or `CARGO_HTTP_PROXY=a:80`. */
export const string: Decoder<string> = (place) => readScalar(place, STRING).value;

/** Reads `true` or `false`: `net.offline = true` or `CARGO_NET_OFFLINE=true`. */
export const boolean: Decoder<boolean> = (place) => readScalar(place, BOOLEAN).value;

/** Ranges of integers, with their names in errors. */
const RANGES = {
  i32: [-(2n ** 31n), 2n ** 31n - 1n],
  u32: [0n, 2n ** 32n - 1n],
  u64: [0n, 2n ** 64n - 1n],
  usize: [0n, 2n ** 64n - 1n],
} as const;

/**
 * Returns a decoder for an integer in a range: `net.retry = 3` or `CARGO_NET_RETRY=3`. Beyond 2^53, it loses precision.
 */
export function integer(range: keyof typeof RANGES): Decoder<number> {
  const [least, greatest] = RANGES[range];
  return (place) => {
    const { value, definition } = readScalar(place, INTEGER);
    return withKeyContext(place.key, definition, () => {
      if (value >= least && value <= greatest) return Number(value);
      throw invalidValue(`invalid value: integer \`${value}\`, expected ${range}`);
    });
  };
}

/**
 * Returns a decoder for one of `words`: `build.warnings = "deny"` or `CARGO_BUILD_WARNINGS=deny`.
 */
export function word<const W extends string>(words: readonly W[]): Decoder<W> {
  return (place) => {
    const { value, definition } = readScalar(place, STRING);
    return withKeyContext(place.key, definition, () => {
      const match = words.find((candidate) => candidate === value);
      if (match !== undefined) return match;
      const quoted = words.map((candidate) => `\`${candidate}\``);
      const expected = words.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
      throw invalidValue(`unknown variant \`${value}\`, expected ${expected}`);
    });
  };
}

/** Returns a decoder like `decoder`, but with null if nothing is set. */
export function optional<T>(decoder: Decoder<T>): Decoder<T | null> {
  return (place) => (isSet(place) ? decoder(place) : null);
}

/** Returns a decoder like `decoder` that also returns the value's origin. */
export function located<T>(decoder: Decoder<T>): Decoder<Located<T>> {
  return (place) => {
    const definition = definitionAt(place);
    return { value: withKeyContext(place.key, definition, () => decoder(place)), definition };
  };
}

/** Reads a path as written; `resolveLocatedPath` makes it absolute. */
export const locatedPath: Decoder<Located<string>> = located(string);

/**
 * Returns a decoder for a table with known fields, each null if missing. Warns about unknown keys, unless
 * `ignoresUnknown`. Fields may come from files and variables: `[http] timeout = 9` and `CARGO_HTTP_MULTIPLEXING=true`
 * are both in `http`.
 */
export function struct<T extends object>(
  fields: { readonly [K in keyof T]: Decoder<T[K]> },
  options: { readonly required?: readonly (keyof T & string)[]; readonly ignoresUnknown?: boolean } = {},
): Decoder<{ [K in keyof T]: T[K] | null }> {
  const names = Object.keys(fields);
  const required: readonly string[] = options.required ?? [];
  return (place) => {
    const table = tableAt(place);
    if (options.ignoresUnknown !== true) warnOfUnknownKeys(place, table, names);
    const namesInUse = names.filter(
      (name) => table?.has(name) === true || hasVariable(place, childKey(place.key, name).variable),
    );
    const siblings = [...new Set([...namesInUse, ...(table?.keys() ?? [])])].map(underscored);
    const decoded: Partial<{ [K in keyof T]: T[K] | null }> = {};
    for (const name in fields) {
      if (!namesInUse.includes(name)) {
        if (required.includes(name)) {
          throw withMissingFieldContext(place, invalidValue(`missing field \`${name}\``));
        }
        decoded[name] = null;
        continue;
      }
      const prefix = `${underscored(name)}_`;
      decoded[name] = optional(fields[name])({
        source: place.source,
        key: childKey(place.key, name),
        ownsPrefix: !siblings.some((sibling) => sibling.startsWith(prefix)),
      });
    }
    if (!hasFields(decoded, names)) throw new TsregError('a field was not decoded', { code: 'bug' });
    return decoded;
  };
}

/**
 * Returns a decoder for a table with any keys. Only keys in files count, since a variable does not show where a key
 * ends: `[registries.a]` is an entry, `CARGO_REGISTRIES_B_INDEX` adds none.
 */
export function map<T>(decoder: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return (place) => {
    const decoded = new Map<string, T>();
    const names = [...(tableAt(place)?.keys() ?? [])];
    for (const name of names) {
      const prefix = `${underscored(name)}_`;
      const ownsPrefix = !names.some((sibling) => underscored(sibling).startsWith(prefix));
      decoded.set(name, decoder({ source: place.source, key: entryKey(place.key, name), ownsPrefix }));
    }
    return decoded;
  };
}

/**
 * Returns a decoder for a list. The variable adds to it: with `global-credential-providers = ["a"]` in `[registry]`,
 * `CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS="b c"` makes it `a`, `b`, `c`.
 */
export function list<T>(decodeItem: ItemDecoder<T>): Decoder<readonly T[]> {
  return (place) => {
    const configured = place.source.lookUp(place.key);
    if (configured !== null && configured.type !== 'array')
      throw expectedContainer(place.key, 'list', configured);
    return withVariableItems(place, configured?.value ?? []).map((item, position) => {
      try {
        return decodeItem(item);
      } catch (cause) {
        const name = `${formatKey(place.key.parts)}[${position}]`;
        throw configError(`failed to parse config at \`${name}\``, { definition: item.definition, cause });
      }
    });
  };
}

/** Reads an item that must be a string. */
export const stringItem: ItemDecoder<Located<string>> = (item) => {
  if (item.type !== 'string') throw invalidValue(`invalid type: ${describeValue(item)}, expected a string`);
  return { value: item.value, definition: item.definition };
};

/**
 * Reads a list of strings, or one string of words separated by spaces: `build.rustflags = ["-C", "lto"]`, `"-C lto"` or
 * `CARGO_BUILD_RUSTFLAGS="-C lto"`.
 */
export const words: Decoder<readonly string[]> = (place) => {
  const configured = place.source.lookUp(place.key);
  if (configured !== null && configured.type !== 'array' && configured.type !== 'string') {
    throw expectedContainer(place.key, 'string or array of strings', configured);
  }
  let items: readonly ConfigValue[] = [];
  if (configured !== null) items = configured.type === 'array' ? configured.value : splitWords(configured);
  return withVariableItems(place, items).map((item) => {
    if (item.type !== 'string') throw expectedScalar(place.key, 'string', item);
    return item.value;
  });
};

/**
 * Returns a decoder for a value of several types. `expected` lists them for errors. `choose` returns null for others.
 * For `build.target`, it chooses `string` for `"a"` and for `CARGO_BUILD_TARGET=a`, and `list` for `["a", "b"]`.
 */
export function oneOf<T>(expected: string, choose: (value: ConfigValue) => Decoder<T> | null): Decoder<T> {
  return (place) => {
    const value = readAnyValue(place);
    if (value === null) throw missingKey(place.key);
    const decoder = choose(value);
    return withKeyContext(place.key, value.definition, () => {
      if (decoder === null) throw invalidValue(`invalid type: ${describeValue(value)}, expected ${expected}`);
      try {
        return decoder(place);
      } catch (error) {
        // cargo leaves out the causes here.
        throw error instanceof TsregError ? invalidValue(error.message) : error;
      }
    });
  };
}

/** Warns about each key of `table`, the table at `key`, that is not known. */
function warnOfUnknownKeys(
  { source, key }: Place,
  table: ConfigTable | null,
  knownKeys: readonly string[],
): void {
  for (const [name, { definition }] of table ?? []) {
    if (knownKeys.includes(name)) continue;
    const where = describeDefinition(definition);
    source.warn(
      `unused config key \`${formatKey(key.parts)}.${sanitizeForTerminal(name, 'join')}\` in \`${where}\``,
    );
  }
}

/** Returns true if every field was decoded. */
function hasFields<R extends object>(partial: Partial<R>, names: readonly string[]): partial is R {
  return names.every((name) => name in partial);
}

/** Adds the key of the table to an error, if it is part of another table. */
function withMissingFieldContext(place: Place, cause: TsregError): TsregError {
  if (place.key.parts.length < 2) return cause;
  const definition = readAnyValue(place)?.definition ?? null;
  return configError(`could not load config key \`${formatKey(place.key.parts)}\``, { definition, cause });
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidValue('provided string was not `true` or `false`');
}

/** Parses a variable like Rust's `i64`. Throws `config` in Rust's words. */
function parseInteger(text: string): bigint {
  if (text === '') throw invalidValue('cannot parse integer from empty string');
  if (!/^[+-]?[0-9]+$/.test(text)) throw invalidValue('invalid digit found in string');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > 2n ** 63n - 1n) throw invalidValue('number too large to fit in target type');
  if (value < -(2n ** 63n)) throw invalidValue('number too small to fit in target type');
  return value;
}

/** Returns the name of a value in "invalid type" errors. */
function describeValue(value: ConfigValue): string {
  switch (value.type) {
    case 'string':
      return `string ${JSON.stringify(value.value)}`;
    case 'integer':
    case 'boolean':
      return `${value.type} \`${value.value}\``;
    case 'array':
      return 'sequence';
    case 'table':
      return 'map';
  }
}

/** Returns a name with the underscores that variables have for dashes. */
function underscored(name: string): string {
  return name.replaceAll('-', '_');
}
