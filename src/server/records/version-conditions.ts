/**
 * Conditions on the metadata of a crate's highest version, for statements about `crates`. One lookup of that version
 * serves all conditions of a filter, because finding and reading its row takes longer than parsing the metadata.
 */
import type { CrateFilter } from '../store/browse-records.ts';
import { escapePattern } from './search-words.ts';
import type { SqlDialect, SqlValue } from './sql-work.ts';

/** A part of a statement, and its values in the order of their placeholders. */
export interface SqlPart {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/*
 * PostgreSQL takes several times as long to parse a document as to find a part of it as text, which is exact:
 * `encodePublishMetadata` writes the fields in one order, and texts cannot imitate keys with their quotes. Only keys of
 * `features` and `badges` could.
 */

/** Cuts a text out of the document: between `from` and `to`, after `readme`, which is null in every document. */
function cut(from: string, to: string): string {
  return `split_part(split_part(split_part(versions.metadata, '"readme":null', 2), '${from}', 2), '${to}', 1)`;
}

/** The categories of a row of `versions` as a JSON array. */
export const CATEGORIES: Readonly<Record<SqlDialect, string>> = {
  sqlite: "json_extract(versions.metadata, '$.categories')",
  postgres: cut('"categories":', ',"license":'),
};

/** The license; null without one. The text for PostgreSQL is in quotes. */
const LICENSE: Readonly<Record<SqlDialect, string>> = {
  sqlite: "json_extract(versions.metadata, '$.license')",
  postgres: `nullif(${cut(',"license":', ',"license_file":')}, 'null')`,
};

/**
 * The Rust version; null without one. PostgreSQL gets the end of the document after the last key, `rust_version`, such
 * as `"1.70"}` or `null}`: both texts are reversed to find the key from the end, in 99 characters, which are more than
 * it needs.
 */
const RUST_VERSION: Readonly<Record<SqlDialect, string>> = {
  sqlite: "json_extract(versions.metadata, '$.rust_version')",
  postgres: `reverse(split_part(reverse(right(versions.metadata, 99)), ':"noisrev_tsur",', 1))`,
};

const IS_HIGHEST_VERSION = 'versions.crate_id = crates.id AND versions.version = crates.max_version';
/** The condition for the highest version of a crate. An index of SQLite has only versions without build metadata. */
export const OF_HIGHEST_VERSION: Readonly<Record<SqlDialect, string>> = {
  sqlite: `${IS_HIGHEST_VERSION} AND versions.version_without_build =
    substr(crates.max_version || '+', 1, instr(crates.max_version || '+', '+') - 1)`,
  postgres: IS_HIGHEST_VERSION,
};

/** Returns the condition that the highest version meets a filter; null if the filter says nothing about versions. */
export function highestVersionMeets(filter: CrateFilter, dialect: SqlDialect): SqlPart | null {
  const conditions = [
    ...filter.categories.map((slug) => isInCategory(slug, dialect)),
    ...filter.licenses.map((id) => hasLicense(id, dialect)),
    ...filter.rustVersions.map((version) => buildsWith(version, dialect)),
    ...filter.features.map((name) => hasFeature(name, dialect)),
  ];
  if (conditions.length === 0) return null;
  const all = [OF_HIGHEST_VERSION[dialect], ...conditions.map(({ sql }) => sql)].join(' AND ');
  return {
    // With EXISTS, PostgreSQL would join all versions that match instead of looking up one for each candidate.
    sql: `(SELECT 1 FROM versions WHERE ${all}) = 1`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function isInCategory(slug: string, dialect: SqlDialect): SqlPart {
  // With a quote after each level, a slug and its parents are the texts between a quote at the start and any other one.
  const withQuotes = `replace(${CATEGORIES[dialect]}, '::', '":')`;
  return {
    sql: `${withQuotes} LIKE ? ESCAPE '\\'`,
    values: [`%"${escapePattern(slug.replaceAll('::', '":'))}"%`],
  };
}

/** Tests for a term of the expression: `MIT` is one of `MIT OR Apache-2.0` and `(MIT/Apache-2.0)`, but not of `MIT-0`. */
function hasLicense(id: string, dialect: SqlDialect): SqlPart {
  const separated = ['(', ')', '/', '"'].reduce(
    (text, separator) => `replace(${text}, '${separator}', ' ')`,
    `lower(${LICENSE[dialect]})`,
  );
  return {
    sql: `' ' || ${separated} || ' ' LIKE ? ESCAPE '\\'`,
    values: [`% ${escapePattern(id.toLowerCase())} %`],
  };
}

/** Tests whether the Rust version is missing or at most `version`, which has one to three numbers. */
function buildsWith(version: string, dialect: SqlDialect): SqlPart {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const required = RUST_VERSION[dialect];
  if (dialect === 'postgres') {
    // A list is also lower than a longer one that begins with it. The pattern protects the conversion, and OFFSET
    // prevents that the text is cut out several times.
    return {
      sql: `(SELECT CASE WHEN required = 'null}' THEN TRUE WHEN required ~ '^"[0-9]+(\\.[0-9]+)*"}$'
        THEN CAST(string_to_array(btrim(required, '"}'), '.') AS NUMERIC[]) <= CAST(CAST(? AS TEXT) AS NUMERIC[])
        ELSE FALSE END FROM (SELECT ${required} AS required OFFSET 0) AS cut)`,
      values: [`{${major},${minor},${patch}}`],
    };
  }
  const numbers = `(${required} || '.0.0')`;
  const afterMajor = afterDot(numbers);
  // A cast reads the number at the start of a text.
  const numeric = [numbers, afterMajor, afterDot(afterMajor)].map((text) => `CAST(${text} AS INTEGER)`);
  return {
    sql: `(${required} IS NULL OR (${numeric.join(', ')}) <= (?, ?, ?))`,
    values: [major, minor, patch],
  };
}

function afterDot(text: string): string {
  return `substr(${text}, instr(${text}, '.') + 1)`;
}

/** Tests for a feature, also for one that an optional dependency implies. Cargo Book: Features. */
function hasFeature(name: string, dialect: SqlDialect): SqlPart {
  const { inDocument, patternOf, isListed, isOptional } = FEATURE_TESTS[dialect];
  const text = JSON.stringify(name);
  const asKey = `${text}:[`;
  // The beginnings of the dependency as `encodePublishMetadata` writes it, or its end if it is renamed.
  const asDependency = [
    `{"optional":true,"default_features":true,"name":${text},`,
    `{"optional":true,"default_features":false,"name":${text},`,
    `"explicit_name_in_toml":${text}}`,
  ];
  return {
    // Searching a document is much faster than parsing it, so those that cannot match are sorted out first. `values`
    // has one value for each `inDocument`, `isListed` and `isOptional`, in their order.
    sql: `${inDocument} AND ((${inDocument} AND ${isListed}) OR (NOT ${inDocument}
      AND (${asDependency.map(() => inDocument).join(' OR ')}) AND ${isOptional}))`,
    values: [
      ...[text, asKey].map(patternOf),
      asKey,
      ...[JSON.stringify(`dep:${name}`), ...asDependency].map(patternOf),
      name,
    ],
  };
}

/** Parts of the condition for a feature. Each has one placeholder. */
interface FeatureTests {
  /** The condition that the document contains a text, from which `patternOf` makes its value. */
  readonly inDocument: string;
  readonly patternOf: (text: string) => string;
  /** The condition for a key of `features`. Its value is the key in quotes and the `:[` after it. */
  readonly isListed: string;
  /** The condition for an optional dependency by its name in the manifest. */
  readonly isOptional: string;
}

const FEATURE_TESTS: Readonly<Record<SqlDialect, FeatureTests>> = {
  sqlite: {
    inDocument: "versions.metadata LIKE ? ESCAPE '\\'",
    patternOf: (text) => `%${escapePattern(text)}%`,
    isListed: `EXISTS (SELECT 1 FROM json_each(versions.metadata, '$.features')
      WHERE json_quote(key) || ':[' = ?)`,
    isOptional: `EXISTS (SELECT 1 FROM json_each(versions.metadata, '$.deps') AS deps
      WHERE json_extract(deps.value, '$.optional') AND coalesce(
      json_extract(deps.value, '$.explicit_name_in_toml'), json_extract(deps.value, '$.name')) = ?)`,
  },
  postgres: {
    inDocument: 'strpos(versions.metadata, ?) > 0',
    patternOf: (text) => text,
    // Only keys have a list after them. A dependency's `features` begin with another bracket.
    isListed: `strpos(split_part(split_part(versions.metadata, ',"features":{', 2), '},"authors":[', 1), ?) > 0`,
    isOptional: `EXISTS (SELECT 1 FROM json_array_elements(CAST(versions.metadata AS JSON) -> 'deps') AS dep
      WHERE dep ->> 'optional' = 'true' AND coalesce(dep ->> 'explicit_name_in_toml', dep ->> 'name') = ?)`,
  },
};
