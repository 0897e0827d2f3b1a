/** Values in configuration files with their origins, and how files are merged. */
import { TsregError } from '../../core/errors/error.ts';
import type { TomlTable, TomlValue } from '../../core/toml/value.ts';
import { formatKeyPart, matchesPattern } from './config-key.ts';
import { compareDefinitions, type Definition, describeDefinition } from './definition.ts';

/** A table of values, in the order in which keys were first found. */
export type ConfigTable = ReadonlyMap<string, ConfigValue>;

/** A value and its origin. A merged table or list keeps the definition of its nearest part. */
export type ConfigValue =
  | { readonly type: 'string'; readonly value: string; readonly definition: Definition }
  | { readonly type: 'integer'; readonly value: bigint; readonly definition: Definition }
  | { readonly type: 'boolean'; readonly value: boolean; readonly definition: Definition }
  | { readonly type: 'array'; readonly value: readonly ConfigValue[]; readonly definition: Definition }
  | { readonly type: 'table'; readonly value: ConfigTable; readonly definition: Definition };

/** Lists that the nearest file replaces instead of extending. */
const REPLACED_LISTS = [
  'credential-alias.*',
  'doc.browser',
  'host.runner',
  'registries.*.credential-provider',
  'registry.credential-provider',
  'target.*.runner',
];

/** Returns true for keys of commands, whose lists are not merged. */
export function isReplacedList(parts: readonly string[]): boolean {
  return REPLACED_LISTS.some((pattern) => matchesPattern(parts, pattern));
}

/** Converts a parsed file. Throws `config` for dates and floats, which are not valid in configuration. */
export function configFromToml(table: TomlTable, definition: Definition): ConfigValue {
  const path: string[] = [];
  try {
    return convert(table, definition, path);
  } catch (cause) {
    throw new TsregError(`failed to parse config at \`${path.join('')}\``, { cause });
  }
}

/** Converts one value. After an error, `path` contains the location of the invalid value. */
function convert(toml: TomlValue, definition: Definition, path: string[]): ConfigValue {
  if (typeof toml === 'string') return { type: 'string', value: toml, definition };
  if (typeof toml === 'bigint') return { type: 'integer', value: toml, definition };
  if (typeof toml === 'boolean') return { type: 'boolean', value: toml, definition };
  if (Array.isArray(toml)) {
    const items = toml.map((item, position) => {
      path.push(`[${position}]`);
      const value = convert(item, definition, path);
      path.pop();
      return value;
    });
    return { type: 'array', value: items, definition };
  }
  if (toml instanceof Map) {
    const entries = new Map<string, ConfigValue>();
    for (const [key, item] of toml) {
      path.push(`${path.length === 0 ? '' : '.'}${formatKeyPart(key)}`);
      entries.set(key, convert(item, definition, path));
      path.pop();
    }
    return { type: 'table', value: entries, definition };
  }
  const found = typeof toml === 'number' ? 'float' : 'datetime';
  throw new TsregError(`unsupported TOML configuration type \`${found}\``, { code: 'config' });
}

/**
 * Merges two values. Tables are merged key by key, and lists are joined, lowest precedence first. Of other values,
 * `added` wins if `force` is true or its definition outranks that of `base`. Throws `config` if the types do not fit.
 * Cargo Book: Configuration, "Hierarchical structure".
 */
export function mergeConfig(base: ConfigValue, added: ConfigValue, options: { force: boolean }): ConfigValue {
  return merge(base, added, options.force, []);
}

function merge(base: ConfigValue, added: ConfigValue, force: boolean, path: readonly string[]): ConfigValue {
  const wins = force || compareDefinitions(added.definition, base.definition) > 0;
  if (base.type === 'array' && added.type === 'array') {
    return { ...base, value: mergeLists(base.value, added.value, { force, wins, path }) };
  }
  if (base.type === 'table' && added.type === 'table') {
    const entries = new Map(base.value);
    for (const [key, value] of added.value) {
      const present = entries.get(key);
      entries.set(key, present === undefined ? value : mergeEntry(present, value, force, [...path, key]));
    }
    return { ...base, value: entries };
  }
  if (isContainer(base) || isContainer(added)) {
    throw new TsregError(
      `failed to merge config value from \`${describeDefinition(added.definition)}\` into ` +
        `\`${describeDefinition(base.definition)}\`: expected ${base.type}, but found ${added.type}`,
      { code: 'config' },
    );
  }
  return wins ? added : base;
}

function mergeEntry(
  base: ConfigValue,
  added: ConfigValue,
  force: boolean,
  path: readonly string[],
): ConfigValue {
  try {
    return merge(base, added, force, path);
  } catch (cause) {
    throw new TsregError(
      `failed to merge key \`${path.at(-1) ?? ''}\` between ` +
        `${describeDefinition(base.definition)} and ${describeDefinition(added.definition)}`,
      { cause },
    );
  }
}

function mergeLists(
  base: readonly ConfigValue[],
  added: readonly ConfigValue[],
  how: { force: boolean; wins: boolean; path: readonly string[] },
): readonly ConfigValue[] {
  if (isReplacedList(how.path)) return how.wins ? added : base;
  return sortByPrecedence(how.force ? [...base, ...added] : [...added, ...base]);
}

/** Sorts a list by precedence, lowest first. The order is otherwise unchanged. */
export function sortByPrecedence(list: readonly ConfigValue[]): readonly ConfigValue[] {
  return list.toSorted((a, b) => compareDefinitions(a.definition, b.definition));
}

function isContainer(value: ConfigValue): boolean {
  return value.type === 'array' || value.type === 'table';
}
