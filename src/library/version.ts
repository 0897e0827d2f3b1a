/** Versions and requirements in cargo's dialect of SemVer. */
import { TsregError } from '../core/errors/error.ts';
import { compareVersions } from '../core/version/compare-versions.ts';
import { matchesReq } from '../core/version/matches-req.ts';
import { parseVersionReq } from '../core/version/requirement.ts';
import { parseVersion, type Version as CoreVersion } from '../core/version/version.ts';
import { checkOptions, required, TEXT } from './option-checks.ts';

/** A version of a package, such as `1.2.3-beta.1+build`. */
export class Version {
  /** Parses a full version. Throws a `TsregError` with the code `usage` for any other text. */
  static readonly parse: (text: string) => Version = (text) => newVersion(text);

  /**
   * Compares two versions in cargo's order, for `sort`; of build metadata too, which counts last. Returns a negative
   * number, 0 or a positive one; 0 only for the same version. Throws as `parse` does.
   */
  static readonly compare: (a: Version | string, b: Version | string) => number = (a, b) =>
    compareVersions(exactVersion(a), exactVersion(b));

  /** Numbers beyond 53 bits lose precision here. The text and all comparisons are exact. */
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Pre-release without `-`; empty if none. */
  readonly pre: string;
  /** Build metadata without `+`; empty if none. */
  readonly build: string;
  readonly #text: string;

  /** Parses a full version, as `Version.parse` does. */
  constructor(text: string) {
    const version = exactVersion(text);
    this.major = Number(version.major);
    this.minor = Number(version.minor);
    this.patch = Number(version.patch);
    this.pre = version.pre;
    this.build = version.build;
    this.#text = version.text;
  }

  /** Returns the version as text. */
  toString(): string {
    return this.#text;
  }

  /** Returns the version as text, for `JSON.stringify`. */
  toJSON(): string {
    return this.#text;
  }
}

/**
 * Returns true if a version meets a requirement by cargo's rules: `1.2` means `^1.2`, and a pre-release meets only a
 * requirement that names a pre-release of the same three numbers. Throws a `TsregError` with the code `usage` if either
 * is invalid. Cargo Book: Specifying Dependencies, Version requirement syntax.
 */
export function satisfies(version: Version | string, requirement: string): boolean {
  checkOptions({ requirement }, { requirement: required(TEXT) });
  return matchesReq(parsed('version requirement', requirement, parseVersionReq), exactVersion(version));
}

// Outside the class: one that refers to itself gets another name in a bundle, which Node prints.
function newVersion(text: string): Version {
  return new Version(text);
}

function exactVersion(version: Version | string): CoreVersion {
  const text = version instanceof Version ? version.toString() : version;
  checkOptions({ version: text }, { version: required(TEXT) });
  return parsed('version', text, parseVersion);
}

function parsed<T>(noun: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    throw new TsregError(`invalid ${noun} \`${text}\`: ${error.message}`, { code: 'usage' });
  }
}
