/** Typed decoding of configuration values from files and environment. Cargo Book: Configuration. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { TsregError } from '../../core/errors/error.ts';
import { type ConfigKey, childKey, entryKey, formatKey } from './config-key.ts';
import { configError, expectedContainer, expectedScalar, withKeyContext } from './config-error.ts';
import { type ConfigTable, type ConfigValue, isReplacedList, sortByPrecedence } from './config-value.ts';
import { compareDefinitions, type Definition, describeDefinition, type Located } from './definition.ts';
import type { ConfigVariables } from './environment.ts';

/** The key that a decoder reads, in a configuration. */
export interface Place {
  readonly source: DecoderSource;
  readonly key: ConfigKey;
  /**
   * False if variables that start with the key's variable may belong to a longer sibling key. `build.rustc` is not set
   * because `CARGO_BUILD_RUSTC_WRAPPER` is: that is `build.rustc-wrapper`. But `CARGO_HTTP_TIMEOUT` sets a part of
   * `http`, which owns its prefix.
   */
  readonly ownsPrefix: boolean;
}

/** The source of configuration values. */
export interface DecoderSource {
  readonly variables: ConfigVariables;
  /** Returns the value of files and `--config`, without the environment; null if not set. */
  lookUp(key: ConfigKey): ConfigValue | null;
  warn(text: string): void;
}

/** A function that reads a value. Throws `config`, in cargo's words, if it is missing or has another type. */
export type Decoder<T> = (place: Place) => T;

/** A function that decodes one item of a list, which has no key itself. */
export type ItemDecoder<T> = (item: ConfigValue) => T;

/** Reads a string: `http.proxy = "a:80"` or `CARGO_HTTP_PROXY=a:80`. */
export const string: Decoder<string> = (place) =>
  scalar(place, 'a string', (cv) => (cv.type === 'string' ? cv.value : null), String);

/** Reads `true` or `false`: `net.offline = true` or `CARGO_NET_OFFLINE=true`. */
export const boolean: Decoder<boolean> = (place) =>
  scalar(place, 'true/false', (cv) => (cv.type === 'boolean' ? cv.value : null), parseBoolean);

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
    const found = readScalar(
      place,
      'an integer',
      (cv) => (cv.type === 'integer' ? cv.value : null),
      parseInteger,
    );
    if (found === null) throw missing(place.key);
    return withKeyContext(place.key, found.definition, () => {
      if (found.value >= least && found.value <= greatest) return Number(found.value);
      throw invalid(`invalid value: integer \`${found.value}\`, expected ${range}`);
    });
  };
}

/**
 * Returns a decoder for one of `words`: `build.warnings = "deny"` or `CARGO_BUILD_WARNINGS=deny`.
 */
export function word<const W extends string>(words: readonly W[]): Decoder<W> {
  return (place) => {
    const found = readScalar(place, 'a string', (cv) => (cv.type === 'string' ? cv.value : null), String);
    if (found === null) throw missing(place.key);
    return withKeyContext(place.key, found.definition, () => {
      const match = words.find((each) => each === found.value);
      if (match !== undefined) return match;
      const quoted = words.map((each) => `\`${each}\``);
      const expected = words.length === 2 ? quoted.join(' or ') : `one of ${quoted.join(', ')}`;
      throw invalid(`unknown variant \`${found.value}\`, expected ${expected}`);
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
    for (const [key, value] of table ?? []) {
      if (options.ignoresUnknown === true || names.includes(key)) continue;
      const where = describeDefinition(value.definition);
      place.source.warn(
        `unused config key \`${formatKey(place.key.parts)}.${sanitizeForTerminal(key, 'join')}\` in \`${where}\``,
      );
    }
    const present = names.filter(
      (name) => table?.has(name) === true || hasVariable(place, childKey(place.key, name).variable),
    );
    const siblings = [...new Set([...present, ...(table?.keys() ?? [])])].map(underscored);
    const decoded: Partial<{ [K in keyof T]: T[K] | null }> = {};
    for (const name in fields) {
      if (!present.includes(name)) {
        if (required.includes(name)) {
          throw withMissingFieldContext(place, invalid(`missing field \`${name}\``));
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
    const found = place.source.lookUp(place.key);
    if (found !== null && found.type !== 'array') throw expectedContainer(place.key, 'list', found);
    return withVariableItems(place, found?.value ?? []).map((item, position) => {
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
  if (item.type !== 'string') throw invalid(`invalid type: ${unexpected(item)}, expected a string`);
  return { value: item.value, definition: item.definition };
};

/**
 * Reads a list of strings, or one string of words separated by spaces: `build.rustflags = ["-C", "lto"]`, `"-C lto"` or
 * `CARGO_BUILD_RUSTFLAGS="-C lto"`.
 */
export const words: Decoder<readonly string[]> = (place) => {
  const found = place.source.lookUp(place.key);
  if (found !== null && found.type !== 'array' && found.type !== 'string') {
    throw expectedContainer(place.key, 'string or array of strings', found);
  }
  const items = found === null ? [] : found.type === 'array' ? found.value : splitWords(found);
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
    const found = valueWithVariable(place);
    if (found === null) throw missing(place.key);
    const decoder = choose(found);
    return withKeyContext(place.key, found.definition, () => {
      if (decoder === null) throw invalid(`invalid type: ${unexpected(found)}, expected ${expected}`);
      try {
        return decoder(place);
      } catch (error) {
        // The causes are left out here.
        throw error instanceof TsregError ? invalid(error.message) : error;
      }
    });
  };
}

function scalar<T>(
  place: Place,
  expected: string,
  pick: (value: ConfigValue) => T | null,
  parse: (text: string) => T,
): T {
  const found = readScalar(place, expected, pick, parse);
  if (found === null) throw missing(place.key);
  return found.value;
}

/**
 * Returns the value of files or of the variable, whichever takes precedence; null if not set. `CARGO_NET_RETRY=4` wins
 * over `net.retry = 3` in a file, but not over `--config net.retry=3`.
 */
function readScalar<T>(
  place: Place,
  expected: string,
  pick: (value: ConfigValue) => T | null,
  parse: (text: string) => T,
): Located<T> | null {
  const found = place.source.lookUp(place.key);
  const variable = readVariable(place, parse);
  if (found === null) return variable;
  const value = pick(found);
  if (value === null) throw expectedScalar(place.key, expected, found);
  if (variable !== null && compareDefinitions(variable.definition, found.definition) >= 0) return variable;
  return { value, definition: found.definition };
}

/** Returns the value of the variable alone, parsed as the type that is needed; null if not set. */
function readVariable<T>(place: Place, parse: (text: string) => T): Located<T> | null {
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  if (text === null) {
    warnOfMisspelling(place);
    return null;
  }
  const definition: Definition = { kind: 'environment', name };
  try {
    return { value: parse(text), definition };
  } catch (error) {
    throw configError(error instanceof Error ? error.message : String(error), { definition });
  }
}

/**
 * Like `readScalar`, for a value of any type. A variable does not show its type, so `true` is a boolean, `3` an integer
 * and any other text a string.
 */
function valueWithVariable(place: Place): ConfigValue | null {
  const found = place.source.lookUp(place.key);
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  if (text === null) return found;
  const definition: Definition = { kind: 'environment', name };
  if (found !== null && found.type !== 'array' && compareDefinitions(definition, found.definition) <= 0) {
    return found;
  }
  if (text === 'true' || text === 'false') return { type: 'boolean', value: text === 'true', definition };
  if (/^[+-]?[0-9]+$/.test(text))
    return { type: 'integer', value: BigInt(text.replace(/^\+/, '')), definition };
  if (found?.type === 'array') return { ...found, value: withVariableItems(place, found.value) };
  return { type: 'string', value: text, definition };
}

/** Returns a list with the words of the variable, in order of precedence; for replaced lists, one of the two. */
function withVariableItems(place: Place, items: readonly ConfigValue[]): readonly ConfigValue[] {
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  if (text === null) {
    warnOfMisspelling(place);
    return items;
  }
  const definition: Definition = { kind: 'environment', name };
  const added = splitWords({ value: text, definition });
  if (!isReplacedList(place.key.parts)) return sortByPrecedence([...items, ...added]);
  const first = items[0];
  return first !== undefined && compareDefinitions(first.definition, definition) > 0 ? items : added;
}

function splitWords(text: Located<string>): readonly ConfigValue[] {
  const parts = text.value.split(/\s+/u).filter((part) => part !== '');
  return parts.map((value) => ({ type: 'string', value, definition: text.definition }));
}

/** Returns true if files or variables set the key or a part of it, as `CARGO_HTTP_TIMEOUT` sets a part of `http`. */
function isSet(place: Place): boolean {
  const { variables } = place.source;
  const name = place.key.variable;
  if (variables.get(name) !== null) return true;
  if (place.ownsPrefix && variables.names.some((each) => each.startsWith(`${name}_`))) return true;
  if (place.source.lookUp(place.key) !== null) return true;
  warnOfMisspelling(place);
  return false;
}

/** Returns true if `name` is set, or a longer variable, which may set a part of its key or belong to a longer key. */
function hasVariable(place: Place, name: string): boolean {
  return place.source.variables.names.some((each) => each === name || each.startsWith(`${name}_`));
}

/** Returns the origin of the value that takes precedence; the variable if files do not set the key. */
function definitionAt(place: Place): Definition {
  const fromVariable: Definition = { kind: 'environment', name: place.key.variable };
  const found = place.source.lookUp(place.key);
  if (found === null) return fromVariable;
  const outranked = compareDefinitions(fromVariable, found.definition) > 0;
  return outranked && place.source.variables.get(place.key.variable) !== null
    ? fromVariable
    : found.definition;
}

function tableAt(place: Place): ConfigTable | null {
  const found = place.source.lookUp(place.key);
  if (found === null) return null;
  if (found.type !== 'table') throw expectedContainer(place.key, 'table', found);
  return found.value;
}

function hasFields<R extends object>(partial: Partial<R>, names: readonly string[]): partial is R {
  return names.every((name) => name in partial);
}

/** Adds the key of the table to an error, if it is part of another table. */
function withMissingFieldContext(place: Place, cause: TsregError): TsregError {
  if (place.key.parts.length < 2) return cause;
  const definition = valueWithVariable(place)?.definition ?? null;
  return configError(`could not load config key \`${formatKey(place.key.parts)}\``, { definition, cause });
}

function warnOfMisspelling(place: Place): void {
  const misspelled = place.source.variables.misspellingOf(place.key.variable);
  if (misspelled === null) return;
  place.source.warn(
    'environment variables are expected to use uppercase letters and underscores, ' +
      `the variable \`${misspelled}\` will be ignored and have no effect`,
  );
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid('provided string was not `true` or `false`');
}

function parseInteger(text: string): bigint {
  if (text === '') throw invalid('cannot parse integer from empty string');
  if (!/^[+-]?[0-9]+$/.test(text)) throw invalid('invalid digit found in string');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value > 2n ** 63n - 1n) throw invalid('number too large to fit in target type');
  if (value < -(2n ** 63n)) throw invalid('number too small to fit in target type');
  return value;
}

/** Returns the name of a value in "invalid type" errors. */
function unexpected(value: ConfigValue): string {
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

function missing(key: ConfigKey): TsregError {
  return invalid(`missing config key \`${formatKey(key.parts)}\``);
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}

function underscored(name: string): string {
  return name.replaceAll('-', '_');
}
