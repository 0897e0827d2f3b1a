/** The lines of an index file, one per version. Cargo Book: Registry Index, JSON schema. */
import { boolean, type Fields, fields, list, ShapeError, string } from '../json/decode.ts';
import { isCratesIo, type SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { makePackageId } from '../package-id/package-id.ts';
import { isIndexedName } from '../package-id/path-part.ts';
import { buildFeatureMap } from '../summary/feature-value.ts';
import type { Dependency, DependencyKind, Summary } from '../summary/summary.ts';
import { parseRustVersion } from '../version/partial-version.ts';
import { parseVersion, type Version } from '../version/version.ts';
import { ParseCache } from '../summary/parse-cache.ts';

/** The newest supported line format (`v`), in which `features2` is new. */
export const INDEX_VERSION = 2;

/** The registry that a line is for, and the one that it was read from. */
export interface IndexSources {
  /** The registry as manifests and lock files name it. The summary has this source. */
  readonly original: SourceId;
  /** The registry that the line was read from; equals `original` unless replaced. */
  readonly actual: SourceId;
  /** A cache of parsed texts, which most lines share in their dependencies. Absent: no caching. */
  readonly parsed?: ParseCache;
}

/** A decoded line. */
export type IndexEntry =
  | { readonly kind: 'usable'; readonly summary: Summary }
  | {
      readonly kind: 'rejected';
      readonly name: string;
      readonly version: Version;
      readonly reason:
        | {
            readonly kind: 'unsupported-index';
            readonly indexVersion: number;
            /** `rust_version` of the line; null if missing or invalid. */
            readonly rustVersion: string | null;
          }
        | { readonly kind: 'invalid-entry' };
    };

/**
 * Decodes a line. Never throws. A line with name and version that is otherwise invalid or unsupported is `rejected`.
 * Returns null for a line without them, which cargo ignores. The name may differ in case from the requested one. A name
 * that leads out of a folder makes the line null, in a dependency `rejected`. Registries of dependencies are interned
 * in `sources`.
 */
export function decodeIndexLine(text: string, index: IndexSources, sources: SourceTable): IndexEntry | null {
  const line = parseObject(text);
  if (line === null) return null;
  const name = line['name'];
  const version = parseVersionOrNull(line['vers']);
  if (typeof name !== 'string' || !isIndexedName(name) || version === null) return null;
  let summary: Summary | null;
  try {
    summary = decodeSummary(line, makePackageId(name, version, index.original), index, sources);
  } catch {
    // The reason is not needed: cargo only distinguishes a newer format and an invalid line.
    summary = null;
  }
  const indexVersion = readIndexVersion(line['v']);
  if (indexVersion > INDEX_VERSION) {
    const rustVersion = readRustVersion(line['rust_version']);
    return {
      kind: 'rejected',
      name,
      version,
      reason: { kind: 'unsupported-index', indexVersion, rustVersion },
    };
  }
  if (summary === null) return { kind: 'rejected', name, version, reason: { kind: 'invalid-entry' } };
  return { kind: 'usable', summary };
}

/** The usual start of a line, with spaces or without. */
const LINE_START = /^\{"name": ?"[^"\\]*", ?"vers": ?"([^"\\]*)",/;

/** Parsing a shorter line would throw an exception, and a hostile file may have millions of them. */
const SHORTEST_LINE = '{"name":"","vers":"0.0.0"}';

/**
 * Returns the version of a line, usually without parsing all of it; null if the line is to be skipped. For a version,
 * `decodeIndexLine` may still reject the line.
 */
export function readLineVersion(text: string): Version | null {
  if (text.length < SHORTEST_LINE.length) return null;
  const vers = LINE_START.exec(text)?.[1];
  if (vers !== undefined && text.endsWith('}')) return parseVersionOrNull(vers);
  const line = parseObject(text);
  if (line === null || typeof line['name'] !== 'string') return null;
  return parseVersionOrNull(line['vers']);
}

/** Returns null for invalid features. Throws `ShapeError` or the error of a parser for other invalid values. */
function decodeSummary(
  line: Fields,
  id: Summary['id'],
  index: IndexSources,
  sources: SourceTable,
): Summary | null {
  const declared = list(line['deps']).map((dep) => decodeDependency(fields(dep), index, sources));
  const features = featureTable(line['features'] === undefined ? {} : fields(line['features']));
  const features2 = optional(line['features2'], fields);
  if (features2 !== null) {
    featureTable(features2).forEach((values, name) =>
      features.set(name, [...(features.get(name) ?? []), ...values]),
    );
  }
  const rustVersion = optional(line['rust_version'], rustVersionText);
  const publishedAtMs = optional(line['pubtime'], publicationTime);
  // Only checks the form.
  optional(line['v'], unsigned32);
  const featureMap = buildFeatureMap(features, declared);
  if (featureMap.features === null) return null;
  return {
    id,
    dependencies: declared,
    features: featureMap.features,
    links: optional(line['links'], string),
    rustVersion,
    checksum: string(line['cksum']),
    yanked: optional(line['yanked'], boolean) ?? false,
    publishedAtMs,
  };
}

function decodeDependency(
  dep: Fields,
  { original, actual, parsed = new ParseCache() }: IndexSources,
  sources: SourceTable,
): Dependency {
  const nameInToml = packageName(dep['name']);
  const realName = optional(dep['package'], packageName);
  const registry = optional(dep['registry'], (url) => sources.forRegistryIndex(string(url), null));
  // Windows would authenticate to the server in such a URL, with a hash of the user's password.
  if (registry !== null && /^file:\/\/[^/]/.test(registry.url))
    throw new ShapeError('must not be on another machine');
  const target = optional(dep['target'], string);
  // Only checks the form.
  optional(dep['public'], boolean);
  return {
    name: realName ?? nameInToml,
    nameInToml,
    renamed: realName !== null,
    source: registry === null || registry === actual ? original : registry,
    registry: isCratesIo(registry ?? actual) ? null : (registry ?? actual),
    req: parsed.requirement(string(dep['req'])),
    kind: dependencyKind(optional(dep['kind'], string)),
    optional: dep['optional'] === undefined ? false : boolean(dep['optional']),
    defaultFeatures: dep['default_features'] === undefined ? true : boolean(dep['default_features']),
    features:
      dep['features'] === undefined
        ? []
        : list(dep['features'])
            .map(string)
            .filter((name) => name !== ''),
    platform: target === null ? null : parsed.platform(target),
  };
}

function dependencyKind(kind: string | null): DependencyKind {
  return kind === 'dev' || kind === 'build' ? kind : 'normal';
}

/** Returns the features in the order of `Object.keys`. */
function featureTable(table: Fields): Map<string, string[]> {
  const features = new Map<string, string[]>();
  Object.keys(table).forEach((name) => features.set(name, list(table[name]).map(string)));
  return features;
}

/** cargo's format of `pubtime`, in UTC: `2025-11-12T19:30:12Z`. The group is the day. */
const TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Returns milliseconds since 1970. Throws `ShapeError` for another format, or a day that its month does not have. */
function publicationTime(value: unknown): number {
  const text = string(value);
  const day = TIME.exec(text)?.[1];
  if (day !== undefined) {
    const ms = Date.parse(text);
    // `Date.parse` accepts 31 days in every month, and may return a day of the next month.
    if (new Date(ms).getUTCDate() === Number(day)) return ms;
  }
  throw new ShapeError('must be a time');
}

/** Returns a `rust_version` as written. Throws if it is invalid. */
function rustVersionText(value: unknown): string {
  const text = string(value);
  parseRustVersion(text);
  return text;
}

/** Returns the `rust_version` of a line; null if it is missing or invalid. */
function readRustVersion(value: unknown): string | null {
  try {
    return optional(value, rustVersionText);
  } catch {
    return null;
  }
}

/** Returns `v` of a line; 1, the first format, if it is missing or invalid. */
function readIndexVersion(value: unknown): number {
  return isUnsigned32(value) ? value : 1;
}

function parseVersionOrNull(value: unknown): Version | null {
  if (typeof value !== 'string') return null;
  try {
    return parseVersion(value);
  } catch {
    return null;
  }
}

function parseObject(text: string): Fields | null {
  try {
    return fields(JSON.parse(text));
  } catch {
    return null;
  }
}

function packageName(value: unknown): string {
  const name = string(value);
  if (!isIndexedName(name)) throw new ShapeError('must be the name of a package');
  return name;
}

function unsigned32(value: unknown): number {
  if (!isUnsigned32(value)) throw new ShapeError('must be an integer of 32 bits');
  return value;
}

function isUnsigned32(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value;
}

/** Returns `decode(value)`, or null if `value` is missing or `null`. */
function optional<T>(value: unknown, decode: (value: unknown) => T): T | null {
  return value === undefined || value === null ? null : decode(value);
}
