/** Versions in cargo's dialect of SemVer. */
import type { Numeric } from './numeric.ts';
import { CODE, type Part, VersionParseError, VersionScanner } from './version-scanner.ts';

export type { Numeric } from './numeric.ts';
export { VersionParseError } from './version-scanner.ts';

/** A parsed version. Only `parseVersion` makes one. `text` is its only printed form. */
export interface Version {
  readonly major: Numeric;
  readonly minor: Numeric;
  readonly patch: Numeric;
  /** Pre-release without `-`; empty if none. */
  readonly pre: string;
  /** Build metadata without `+`; empty if none. */
  readonly build: string;
  /** `major.minor.patch[-pre][+build]`. */
  readonly text: string;
}

/**
 * Parses a full version without trimming. Throws `VersionParseError`. Cargo Book: The Manifest Format, The version
 * field.
 */
export function parseVersion(text: string): Version {
  if (text === '') throw new VersionParseError('empty string, expected a semver version');
  const scanner = new VersionScanner(text);
  const major = scanner.number('major version number');
  eatDot(scanner, 'major version number');
  const minor = scanner.number('minor version number');
  eatDot(scanner, 'minor version number');
  const patch = scanner.number('patch version number');
  let part: Part = 'patch version number';
  let pre = '';
  let build = '';
  if (!scanner.atEnd) {
    if (scanner.eat(CODE.hyphen)) {
      part = 'pre-release identifier';
      pre = scanner.identifiers(part);
    }
    if (scanner.eat(CODE.plus)) {
      part = 'build metadata';
      build = scanner.identifiers(part);
    }
    if (!scanner.atEnd) {
      throw new VersionParseError(`unexpected character ${scanner.quotedChar()} after ${part}`);
    }
  }
  return { major, minor, patch, pre, build, text };
}

/** Skips the dot after `part`. Throws `VersionParseError` if it is missing. */
function eatDot(scanner: VersionScanner, part: Part): void {
  if (scanner.eat(CODE.dot)) return;
  throw new VersionParseError(
    scanner.atEnd
      ? `unexpected end of input while parsing ${part}`
      : `unexpected character ${scanner.quotedChar()} after ${part}`,
  );
}
