/** Values in configuration files with their origins, and how files are merged. */
import { present } from '../../core/errors/assert.ts';
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
  | TableValue;

/** A table and its origin. */
export interface TableValue {
  readonly type: 'table';
  readonly value: ConfigTable;
  readonly definition: Definition;
}

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
export function configFromToml(table: TomlTable, definition: Definition): TableValue {
  const path: string[] = [];
  try {
    return convertTable(table, definition, path);
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
  if (toml instanceof Map) return convertTable(toml, definition, path);
  const typeName = typeof toml === 'number' ? 'float' : 'datetime';
  throw new TsregError(`unsupported TOML configuration type \`${typeName}\``, { code: 'config' });
}

function convertTable(table: TomlTable, definition: Definition, path: string[]): TableValue {
  const entries = new Map<string, ConfigValue>();
  for (const [key, item] of table) {
    path.push(`${path.length === 0 ? '' : '.'}${formatKeyPart(key)}`);
    entries.set(key, convert(item, definition, path));
    path.pop();
  }
  return { type: 'table', value: entries, definition };
}

/** How to merge two values, and where they are. */
interface MergeOptions {
  /** True if `added` wins even if its definition does not outrank that of `base`. */
  readonly force: boolean;
  /** Keys from the root to the values; empty for the root. */
  readonly path: readonly string[];
}

/**
 * Merges two values. Tables are merged key by key, and lists are joined, lowest precedence first. Of other values,
 * `added` wins if `force` is true or its definition outranks that of `base`. Throws `config` if the types do not fit.
 * Cargo Book: Configuration, "Hierarchical structure".
 */
export function mergeConfig(base: ConfigValue, added: ConfigValue, options: { force: boolean }): ConfigValue {
  return merge(base, added, { ...options, path: [] });
}

/** Like `mergeConfig`, for two tables. */
export function mergeTables(base: TableValue, added: TableValue, options: { force: boolean }): TableValue {
  return mergeEntries(base, added, { ...options, path: [] });
}

/** Like `mergeConfig`, for the values at `path`. */
function merge(base: ConfigValue, added: ConfigValue, { force, path }: MergeOptions): ConfigValue {
  const wins = force || compareDefinitions(added.definition, base.definition) > 0;
  if (base.type === 'array' && added.type === 'array') {
    return { ...base, value: mergeLists(base.value, added.value, { force, wins, path }) };
  }
  if (base.type === 'table' && added.type === 'table') return mergeEntries(base, added, { force, path });
  if (isContainer(base) || isContainer(added)) {
    throw new TsregError(
      `failed to merge config value from \`${describeDefinition(added.definition)}\` into ` +
        `\`${describeDefinition(base.definition)}\`: expected ${base.type}, but found ${added.type}`,
      { code: 'config' },
    );
  }
  return wins ? added : base;
}

/** Like `mergeConfig`, for the tables at `path`. */
function mergeEntries(base: TableValue, added: TableValue, { force, path }: MergeOptions): TableValue {
  const entries = new Map(base.value);
  for (const [key, value] of added.value) {
    const existing = entries.get(key);
    const merged =
      existing === undefined ? value : mergeEntry(existing, value, { force, path: [...path, key] });
    entries.set(key, merged);
  }
  return { ...base, value: entries };
}

/** Merges the values of one key. An error names the key and both origins. */
function mergeEntry(base: ConfigValue, added: ConfigValue, options: MergeOptions): ConfigValue {
  try {
    return merge(base, added, options);
  } catch (cause) {
    throw new TsregError(
      `failed to merge key \`${present(options.path.at(-1), 'a key')}\` between ` +
        `${describeDefinition(base.definition)} and ${describeDefinition(added.definition)}`,
      { cause },
    );
  }
}

/** Merges two lists. `wins` is true if `added` takes precedence, which matters for replaced lists. */
function mergeLists(
  base: readonly ConfigValue[],
  added: readonly ConfigValue[],
  { force, wins, path }: MergeOptions & { readonly wins: boolean },
): readonly ConfigValue[] {
  if (isReplacedList(path)) return wins ? added : base;
  // Without `force`, `added` comes from a file farther away, which has lower precedence.
  return sortByPrecedence(force ? [...base, ...added] : [...added, ...base]);
}

/** Sorts a list by precedence, lowest first. The order is otherwise unchanged. */
export function sortByPrecedence(list: readonly ConfigValue[]): readonly ConfigValue[] {
  return list.toSorted((a, b) => compareDefinitions(a.definition, b.definition));
}

function isContainer(value: ConfigValue): boolean {
  return value.type === 'array' || value.type === 'table';
}
