/** Fields that a member can inherit from its workspace. Cargo Book: Workspaces, The `package` table. */
import { asTable, boolean, flattened, invalidType, map, oneOf, string, strings } from '../toml/decode.ts';
import type { Decoded, DecodeContext, Decoder } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import type { TomlValue } from '../toml/value.ts';
import { parseRustVersion } from '../version/partial-version.ts';
import { parseVersion } from '../version/version.ts';
import type { Version } from '../version/version.ts';

/** The value for `field.workspace = true`. */
export const INHERIT = Symbol('inherit');

/** A field's value, or `INHERIT`. */
export type Inheritable<T> = T | typeof INHERIT;

/** Reads `true`; rejects all other values. */
export const workspaceTrue: Decoder<true> = (value, context) => {
  if (boolean(value, context)) return true;
  throw context.error('`workspace` cannot be false');
};

const inheritedTable = struct(
  'TomlInheritedField',
  { workspace: workspaceTrue },
  { required: ['workspace'] },
);

/** Reads the table of an inherited field. */
const inherit: Decoder<typeof INHERIT> = (value, context) => {
  inheritedTable(value, context);
  return INHERIT;
};

/**
 * Returns a decoder for a field that `readOwn` reads. If that returns null because of the type, the value must be a
 * table with `workspace`. `expected` names the valid types in errors.
 */
function inheritable<T>(
  expected: string,
  readOwn: (value: TomlValue, context: DecodeContext) => T | null,
): Decoder<Inheritable<T>> {
  return (value, context) => {
    const own = readOwn(value, context);
    if (own !== null) return own;
    const table = asTable(value);
    if (table === null) throw invalidType(value, expected, context);
    return inherit(table, context);
  };
}

/** Parses a string. Turns errors of `parse` into errors about the value. */
function parseText<T>(text: string, context: DecodeContext, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw context.error(error instanceof Error ? error.message : String(error));
  }
}

/** Reads a path or a boolean. */
export const stringOrBoolean: Decoder<string | boolean> = oneOf<string | boolean>({
  expected: 'a boolean or string',
  string: (text) => text,
  boolean: (flag) => flag,
});

/** Reads registry names or a boolean. */
const stringsOrBoolean: Decoder<readonly string[] | boolean> = oneOf<readonly string[] | boolean>({
  expected: 'a boolean or vector of strings',
  boolean: (flag) => flag,
  array: strings,
});

/** Reads a full version. Unlike in `package.version`, surrounding blanks are invalid. */
const version: Decoder<Version> = (value, context) => {
  if (typeof value === 'string') return parseText(value, context, parseVersion);
  throw invalidType(value, 'semver version', context);
};

/** Reads a minimum version of Rust, and returns its canonical text. */
const rustVersion: Decoder<string> = oneOf({
  expected: 'SemVer version',
  string: (text, context) => parseText(text, context, parseRustVersion).text,
});

/** Reads `package.version`, with or without surrounding blanks. */
export const inheritableVersion: Decoder<Inheritable<Version>> = oneOf<Inheritable<Version>>({
  expected: 'SemVer version',
  string: (text, context) => parseText(text.trim(), context, parseVersion),
  table: inherit,
});

/** Reads a string or inherits it. */
export const inheritableString = inheritable('a string or workspace', (value) =>
  typeof value === 'string' ? value : null,
);

/** Reads `package.rust-version`. */
export const inheritableRustVersion = inheritable('a semver or workspace', (value, context) =>
  typeof value === 'string' ? parseText(value, context, parseRustVersion).text : null,
);

/** Reads a list of strings or inherits it. */
export const inheritableStrings = inheritable('a vector of strings or workspace', (value, context) =>
  Array.isArray(value) ? strings(value, context) : null,
);

/** Reads `package.readme`. */
export const inheritableStringOrBoolean = inheritable('a string, a bool, or workspace', (value) =>
  typeof value === 'string' || typeof value === 'boolean' ? value : null,
);

const flattenedStrings = flattened(strings);

/** Reads `package.publish`. */
export const inheritableStringsOrBoolean = inheritable<readonly string[] | boolean>(
  'a boolean, a vector of strings, or workspace',
  (value, context) => {
    if (typeof value === 'boolean') return value;
    return Array.isArray(value) ? flattenedStrings(value, context) : null;
  },
);

/** Reads `[badges]`, which has no effect. */
export const badges = map(map(string));

/** Reads `[workspace.package]`. */
export const inheritablePackage = struct('InheritablePackage', {
  version,
  authors: strings,
  description: string,
  homepage: string,
  documentation: string,
  readme: stringOrBoolean,
  keywords: strings,
  categories: strings,
  license: string,
  'license-file': string,
  repository: string,
  publish: stringsOrBoolean,
  edition: string,
  badges,
  exclude: strings,
  include: strings,
  'rust-version': rustVersion,
});

/** The fields of `[workspace.package]`. */
export type InheritablePackage = Decoded<typeof inheritablePackage>;
