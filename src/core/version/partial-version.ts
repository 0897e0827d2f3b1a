/** Versions with missing numbers, as in `rust-version` and package ID specifications. */
import { compareBuild, comparePreRelease } from './compare-versions.ts';
import { matchesCaret } from './matches-req.ts';
import { compareNumeric, type Numeric } from './numeric.ts';
import { parseVersionReq, type VersionReq } from './requirement.ts';
import { parseVersion, type Version } from './version.ts';
import { VersionParseError } from './version-scanner.ts';

/** A version that may have only its first numbers: `1`, `1.70`, `1.70.0`. */
export interface PartialVersion {
  readonly major: Numeric;
  /** null if it is not written, like `patch`. */
  readonly minor: Numeric | null;
  readonly patch: Numeric | null;
  /** null if it is not written, like `build`. */
  readonly pre: string | null;
  readonly build: string | null;
  /** Printed form. */
  readonly text: string;
}

/** Up to three numbers and nothing else. A match avoids the cost of a thrown error. */
const USUAL = /^(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8})(?:\.(0|[1-9]\d{0,8}))?)?$/;

/** Parses a version that may be incomplete. Throws `VersionParseError`. */
export function parsePartialVersion(text: string): PartialVersion {
  const usual = USUAL.exec(text);
  if (usual !== null) {
    const [, major, minor, patch] = usual;
    return {
      major: Number(major),
      minor: minor === undefined ? null : Number(minor),
      patch: patch === undefined ? null : Number(patch),
      pre: null,
      build: null,
      text,
    };
  }
  let version: Version;
  try {
    version = parseVersion(text);
  } catch (error) {
    if (error instanceof VersionParseError) return parseIncomplete(text);
    throw error;
  }
  return {
    major: version.major,
    minor: version.minor,
    patch: version.patch,
    pre: version.pre === '' ? null : version.pre,
    build: version.build === '' ? null : version.build,
    text,
  };
}

/**
 * Parses `package.rust-version`: a partial version without pre-release and build metadata. Throws `VersionParseError`.
 * Cargo Book: Rust Version.
 */
export function parseRustVersion(text: string): PartialVersion {
  const version = parsePartialVersion(text);
  if (version.pre !== null) throw unexpectedField('prerelease');
  if (version.build !== null) throw unexpectedField('build');
  return version;
}

/**
 * Returns true if `partial` includes `version`: numbers, pre-release and build metadata must be equal if they are
 * written. A pre-release is included only if it is written.
 */
export function matchesPartialVersion(partial: PartialVersion, version: Version): boolean {
  if (version.pre !== '' && partial.pre === null) return false;
  return (
    partial.major === version.major &&
    (partial.minor === null || partial.minor === version.minor) &&
    (partial.patch === null || partial.patch === version.patch) &&
    (partial.pre === null || partial.pre === version.pre) &&
    (partial.build === null || partial.build === version.build)
  );
}

/** Compares partial versions by numbers, then pre-release and build. A part that is not written comes first. */
export function comparePartialVersions(a: PartialVersion, b: PartialVersion): number {
  return (
    compareNumeric(a.major, b.major) ||
    compareWritten(a.minor, b.minor, compareNumeric) ||
    compareWritten(a.patch, b.patch, compareNumeric) ||
    compareWritten(a.pre, b.pre, comparePreRelease) ||
    compareWritten(a.build, b.build, compareBuild)
  );
}

/**
 * Returns true if a package that needs `required` works with `available`: if `available`, with missing numbers as 0,
 * matches `^required`. Cargo Book: Rust Version.
 */
export function isRustVersionCompatible(required: PartialVersion, available: PartialVersion): boolean {
  const { major, minor, patch } = available;
  return matchesCaret({ ...required, pre: '' }, { major, minor: minor ?? 0, patch: patch ?? 0, pre: '' });
}

/** Compares parts that may be missing (null). A missing one comes first, and two missing ones are equal. */
export function compareWritten<T>(a: T | null, b: T | null, compare: (a: T, b: T) => number): number {
  return a === null || b === null ? Number(a !== null) - Number(b !== null) : compare(a, b);
}

/** Parses a version with missing numbers. Like cargo, parses a requirement and accepts only `^` without the sign. */
function parseIncomplete(text: string): PartialVersion {
  let req: VersionReq;
  try {
    req = parseVersionReq(text);
  } catch (error) {
    if (!(error instanceof VersionParseError)) throw error;
    if (text.includes('-')) throw unexpectedField('prerelease');
    if (text.includes('+')) throw unexpectedField('build');
    throw new VersionParseError('expected a version like "1.32"');
  }
  const [comparator, another] = req.comparators;
  if (
    comparator === undefined ||
    another !== undefined ||
    comparator.op !== 'caret' ||
    text.startsWith('^')
  ) {
    throw new VersionParseError('unexpected version requirement, expected a version like "1.32"');
  }
  const { major, minor, patch, pre } = comparator;
  const numbers = [major, minor, patch].filter((part) => part !== null).join('.');
  return {
    major,
    minor,
    patch,
    pre: pre === '' ? null : pre,
    build: null,
    text: pre === '' ? numbers : `${numbers}-${pre}`,
  };
}

function unexpectedField(field: 'prerelease' | 'build'): VersionParseError {
  return new VersionParseError(`unexpected ${field} field, expected a version like "1.32"`);
}
