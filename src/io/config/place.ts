/** Values at one key, from files, `--config` and environment. Cargo Book: Configuration, "Environment variables". */
import { TsregError } from '../../core/errors/error.ts';
import { type ConfigKey, formatKey } from './config-key.ts';
import { configError, expectedContainer, expectedScalar } from './config-error.ts';
import { type ConfigTable, type ConfigValue, isReplacedList, sortByPrecedence } from './config-value.ts';
import type { Definition, Located } from './definition.ts';
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

/** A type of values that a variable can contain. */
export interface ScalarType<T> {
  /** For errors, with its article: `a string`. */
  readonly name: string;
  /** Returns the value; null if it has another type. */
  readonly fromConfig: (value: ConfigValue) => T | null;
  /** Parses the text of a variable. Throws if it has another form. */
  readonly parse: (text: string) => T;
}

/** Returns true if a variable takes precedence over a value with this definition: one in a file, but not `--config`. */
function variableWins({ kind }: Definition): boolean {
  return kind !== 'command-line';
}

/**
 * Returns the value of files or of the variable, whichever takes precedence. `CARGO_NET_RETRY=4` wins over
 * `net.retry = 3` in a file, but not over `--config net.retry=3`. Throws `config` if neither is set, or if either has
 * another type.
 */
export function readScalar<T>(place: Place, type: ScalarType<T>): Located<T> {
  const configured = place.source.lookUp(place.key);
  const variable = readVariable(place, type);
  if (configured !== null) {
    const value = type.fromConfig(configured);
    if (value === null) throw expectedScalar(place.key, type.name, configured);
    if (variable === null || !variableWins(configured.definition)) {
      return { value, definition: configured.definition };
    }
  }
  if (variable === null) throw missingKey(place.key);
  return variable;
}

/** Returns the value of the variable alone; null if not set. */
function readVariable<T>(place: Place, type: ScalarType<T>): Located<T> | null {
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  if (text === null) {
    warnOfMisspelling(place);
    return null;
  }
  const definition: Definition = { kind: 'environment', name };
  try {
    return { value: type.parse(text), definition };
  } catch (error) {
    throw configError(error instanceof Error ? error.message : String(error), { definition });
  }
}

/**
 * Like `readScalar`, for a value of any type; null if not set. A variable does not show its type, so `true` is a
 * boolean, `3` an integer of 64 bits and any other text a string.
 */
export function readAnyValue(place: Place): ConfigValue | null {
  const configured = place.source.lookUp(place.key);
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  // As in cargo, without a warning of a misspelled variable.
  if (text === null) return configured;
  const definition: Definition = { kind: 'environment', name };
  if (configured !== null && configured.type !== 'array' && !variableWins(configured.definition))
    return configured;
  // As in cargo, a boolean or an integer replaces a list, even one of `--config`; only words are added to it.
  if (text === 'true' || text === 'false') return { type: 'boolean', value: text === 'true', definition };
  if (/^[+-]?[0-9]+$/.test(text)) {
    const value = BigInt(text.replace(/^\+/, ''));
    if (BigInt.asIntN(64, value) === value) return { type: 'integer', value, definition };
  }
  if (configured?.type === 'array')
    return { ...configured, value: withVariableItems(place, configured.value) };
  return { type: 'string', value: text, definition };
}

/**
 * Adds the words of the variable to `items`, the items from files, in order of precedence. Of a replaced list, returns
 * only the items or only the words.
 */
export function withVariableItems(place: Place, items: readonly ConfigValue[]): readonly ConfigValue[] {
  const name = place.key.variable;
  const text = place.source.variables.get(name);
  if (text === null) {
    warnOfMisspelling(place);
    return items;
  }
  const definition: Definition = { kind: 'environment', name };
  const words = splitWords({ value: text, definition });
  if (!isReplacedList(place.key.parts)) return sortByPrecedence([...items, ...words]);
  // All items of a replaced list have the same origin.
  const [item] = items;
  return item !== undefined && !variableWins(item.definition) ? items : words;
}

/** Splits a text at spaces into strings with the same origin. */
export function splitWords(text: Located<string>): readonly ConfigValue[] {
  const parts = text.value.split(/\s+/u).filter((part) => part !== '');
  return parts.map((value) => ({ type: 'string', value, definition: text.definition }));
}

/** Returns true if files or variables set the key or a part of it, as `CARGO_HTTP_TIMEOUT` sets a part of `http`. */
export function isSet(place: Place): boolean {
  const { variables } = place.source;
  const name = place.key.variable;
  if (variables.get(name) !== null) return true;
  if (place.ownsPrefix && variables.names.some((other) => other.startsWith(`${name}_`))) return true;
  if (place.source.lookUp(place.key) !== null) return true;
  warnOfMisspelling(place);
  return false;
}

/** Returns true if `name` is set, or a longer variable, which may set a part of its key or belong to a longer key. */
export function hasVariable(place: Place, name: string): boolean {
  return place.source.variables.names.some((other) => other === name || other.startsWith(`${name}_`));
}

/** Returns the origin of the value that takes precedence; the variable if files do not set the key. */
export function definitionAt(place: Place): Definition {
  const fromVariable: Definition = { kind: 'environment', name: place.key.variable };
  const configured = place.source.lookUp(place.key);
  if (configured === null) return fromVariable;
  const isSetByVariable = place.source.variables.get(place.key.variable) !== null;
  return isSetByVariable && variableWins(configured.definition) ? fromVariable : configured.definition;
}

/** Returns the table of files; null if not set. Throws `config` if the value is no table. */
export function tableAt(place: Place): ConfigTable | null {
  const configured = place.source.lookUp(place.key);
  if (configured === null) return null;
  if (configured.type !== 'table') throw expectedContainer(place.key, 'table', configured);
  return configured.value;
}

/** Warns if the environment has the key's variable in another spelling. */
function warnOfMisspelling(place: Place): void {
  const misspelled = place.source.variables.misspellingOf(place.key.variable);
  if (misspelled === null) return;
  place.source.warn(
    'environment variables are expected to use uppercase letters and underscores, ' +
      `the variable \`${misspelled}\` will be ignored and have no effect`,
  );
}

/** Returns the error for a key that is not set. */
export function missingKey(key: ConfigKey): TsregError {
  return invalidValue(`missing config key \`${formatKey(key.parts)}\``);
}

/** Returns the error for a value that no decoder accepts. */
export function invalidValue(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
