/** Entries of dependency tables as written. Cargo Book: Specifying Dependencies. */
import { nameProblem, packageNameProblem, registryNameProblem } from '../package-id/name-problem.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import {
  asTable,
  boolean,
  checkedString,
  flattened,
  invalidType,
  map,
  oneOf,
  string,
  strings,
} from '../toml/decode.ts';
import type { Decoded, DecodeContext, Decoder } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import { TomlTypeError } from '../toml/type-error.ts';
import type { TomlTable, TomlValue } from '../toml/value.ts';

/** The valid forms of a dependency, for errors. */
export const DEPENDENCY_FORMS =
  'a version string like "0.9.8" or a detailed dependency like { version = "0.9.8" }';

/** The note for a dependency that is `true`. */
export const WORKSPACE_NOTE =
  'note: if you meant to use a workspace member, you can write\n dep.workspace = true';

/** Reads a string or a list of strings, as a list. */
export const stringOrStrings: Decoder<readonly string[]> = oneOf<readonly string[]>({
  expected: 'string or list of strings',
  string: (text) => [text],
  array: strings,
});

const FIELDS = {
  version: string,
  registry: checkedString(registryNameProblem),
  'registry-index': string,
  path: string,
  base: checkedString((name) => nameProblem(name, 'path base name')),
  git: string,
  branch: string,
  tag: string,
  rev: string,
  features: strings,
  optional: boolean,
  'default-features': boolean,
  default_features: boolean,
  package: checkedString(packageNameProblem),
  public: boolean,
  artifact: stringOrStrings,
  lib: boolean,
  target: string,
};

const detailedFields = struct('TomlDetailedDependency', FIELDS, {
  onUnknown: () => undefined,
  asArray: false,
  copy: (fields) => ({ ...fields }),
});

const DETAILED_KEYS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

/** A dependency written as a table. */
export interface DetailedDependency extends Decoded<typeof detailedFields> {
  /** Keys that have no effect, sorted; undefined if there are none. */
  readonly unusedKeys?: readonly string[];
}

/** A dependency that is not inherited: a requirement or a table. */
export type RawDependency = string | DetailedDependency;

/** A dependency with `workspace = true`, and its additions; null for missing keys. */
export interface InheritedDependency {
  readonly workspace: true;
  readonly features: readonly string[] | null;
  readonly defaultFeatures: boolean | null;
  readonly optional: boolean | null;
  readonly public: boolean | null;
  readonly unusedKeys: readonly string[];
}

/** An entry of a package's dependency table. */
export type InheritableDependency = RawDependency | InheritedDependency;

/** Returns true for a dependency with `workspace = true`. */
export function isInherited(dependency: InheritableDependency): dependency is InheritedDependency {
  return typeof dependency !== 'string' && 'workspace' in dependency;
}

/** Reads a table without `workspace`, and notes its unused keys. */
const detailed: Decoder<DetailedDependency> = (value, context) => {
  const fields = detailedFields(value, context);
  const unused = unusedKeys(asTable(value), DETAILED_KEYS);
  return unused.length === 0 ? fields : { ...fields, unusedKeys: unused };
};

const flattenedDetailed = flattened(detailed);
/** In a package's own tables, cargo's errors do not name the keys on the way to the wrong value. */
const detailedOfPackage = flattened(detailed, { namesKeys: false });

/** Returns the keys that are not in `known`, sorted bytewise. */
function unusedKeys(table: TomlTable | null, known: ReadonlySet<string>): readonly string[] {
  const unused: string[] = [];
  table?.forEach((_, key) => {
    if (!known.has(key)) unused.push(key);
  });
  return unused.sort(compareBytes);
}

/** Returns the error for a dependency that is neither a string nor a table. */
function wrongForm(value: TomlValue, context: DecodeContext): TomlTypeError {
  const error = invalidType(value, DEPENDENCY_FORMS, context);
  if (value !== true) return error;
  return context.error(`${error.message}\n${WORKSPACE_NOTE}`);
}

/** Reads an entry of `[workspace.dependencies]`, `[patch]` or `[replace]`. */
export const rawDependency: Decoder<RawDependency> = (value, context) => {
  if (typeof value === 'string') return value;
  const table = asTable(value);
  if (table === null) throw wrongForm(value, context);
  return flattenedDetailed(table, context);
};

/** Reads an entry of a package's dependency table. */
const inheritableDependency: Decoder<InheritableDependency> = (value, context) => {
  if (typeof value === 'string') return value;
  const table = asTable(value);
  if (table === null) throw wrongForm(value, context);
  const inherited = asInherited(table, context);
  if (inherited !== null) return inherited;
  try {
    return detailedOfPackage(table, context);
  } catch (error) {
    if (!(error instanceof TomlTypeError)) throw error;
    // cargo checks these keys in sorted order, so another error may come first.
    const sorted = new Map([...table].sort((a, b) => compareBytes(a[0], b[0])));
    return detailedOfPackage(sorted, context);
  }
};

/** The keys of an inherited dependency that have an effect. */
const INHERITED_KEYS = new Set([
  'workspace',
  'features',
  'default-features',
  'default_features',
  'optional',
  'public',
]);

/** Reads a table with a boolean `workspace` and valid keys; returns null for others. */
function asInherited(table: TomlTable, context: DecodeContext): InheritedDependency | null {
  const workspace = table.get('workspace');
  if (typeof workspace !== 'boolean') return null;
  const features = table.get('features');
  const isListOfStrings = Array.isArray(features) && features.every((item) => typeof item === 'string');
  if (features !== undefined && !isListOfStrings) return null;
  for (const key of ['default-features', 'default_features', 'optional', 'public']) {
    const flag = table.get(key);
    if (flag !== undefined && typeof flag !== 'boolean') return null;
  }
  if (!workspace) throw context.error('`workspace` cannot be false');
  const readFlag = (key: string): boolean | null => {
    const value = table.get(key);
    return typeof value === 'boolean' ? value : null;
  };
  return {
    workspace: true,
    features: isListOfStrings ? features : null,
    defaultFeatures: readFlag('default-features') ?? readFlag('default_features'),
    optional: readFlag('optional'),
    public: readFlag('public'),
    unusedKeys: unusedKeys(table, INHERITED_KEYS),
  };
}

/** Reads `[dependencies]` and similar tables, sorted by key. */
export const dependencyTable = map(inheritableDependency, packageNameProblem);

/** Reads `[workspace.dependencies]` or one table of `[patch]`, sorted by key. */
export const rawDependencyTable = map(rawDependency, packageNameProblem);

/** A package's dependency table. */
export type DependencyTable = Decoded<typeof dependencyTable>;
