/** Matching of versions and requirements, as in the Rust crate `semver`. */
import { comparePreRelease } from './compare-versions.ts';
import { compareNumeric } from './numeric.ts';
import type { Comparator, VersionReq } from './requirement.ts';
import type { Version } from './version.ts';

/**
 * Returns true if `version` satisfies `req`. A pre-release only satisfies a requirement that names a pre-release of the
 * same three numbers. Build metadata counts only in a locked requirement. Cargo Book: Specifying Dependencies, Version
 * requirement syntax.
 */
export function matchesReq(req: VersionReq, version: Version): boolean {
  if (req.locked !== null) return req.locked.text === version.text;
  if (req.acceptsAny) return true;
  if (!req.comparators.every((comparator) => matchesComparator(comparator, version))) return false;
  return version.pre === '' || req.comparators.some((comparator) => admitsPreRelease(comparator, version));
}

/** Returns true if the requirement allows only one version: `=1.2.3`, or locked by a lock file. */
export function isExactReq(req: VersionReq): boolean {
  if (req.locked !== null) return true;
  const [first, second] = req.comparators;
  return first !== undefined && second === undefined && first.op === 'exact' && first.patch !== null;
}

function matchesComparator(comparator: Comparator, version: Version): boolean {
  switch (comparator.op) {
    case 'caret':
      return matchesCaret(comparator, version);
    case 'exact':
    case 'wildcard':
      return equalsAsWritten(comparator, version);
    case 'tilde':
      return matchesTilde(comparator, version);
    case 'greater':
      return orderAsWritten(comparator, version) > 0;
    case 'greater-eq':
      return orderAsWritten(comparator, version) > 0 || equalsAsWritten(comparator, version);
    case 'less':
      return orderAsWritten(comparator, version) < 0;
    case 'less-eq':
      return orderAsWritten(comparator, version) < 0 || equalsAsWritten(comparator, version);
  }
}

/** Returns true if the version has the written numbers and the same pre-release. */
function equalsAsWritten({ major, minor, patch, pre }: Comparator, version: Version): boolean {
  return (
    version.major === major &&
    (minor === null || version.minor === minor) &&
    (patch === null || version.patch === patch) &&
    version.pre === pre
  );
}

/** Compares the version with the written numbers, then with the pre-release if all three are written. */
function orderAsWritten({ major, minor, patch, pre }: Comparator, version: Version): number {
  const majorOrder = compareNumeric(version.major, major);
  if (majorOrder !== 0 || minor === null) return majorOrder;
  const minorOrder = compareNumeric(version.minor, minor);
  if (minorOrder !== 0 || patch === null) return minorOrder;
  return compareNumeric(version.patch, patch) || comparePreRelease(version.pre, pre);
}

/** Returns true if `version` satisfies `~…`: major and minor number are as written, and it is not lower. */
function matchesTilde({ major, minor, patch, pre }: Comparator, version: Version): boolean {
  if (version.major !== major) return false;
  if (minor !== null && version.minor !== minor) return false;
  if (patch !== null && version.patch !== patch) return version.patch > patch;
  return comparePreRelease(version.pre, pre) >= 0;
}

/**
 * Returns true if `version` satisfies `^…`: it is not lower than written, and the written numbers up to the left-most
 * one that is not 0 are the same.
 */
export function matchesCaret(
  { major, minor, patch, pre }: Omit<Comparator, 'op'>,
  version: Omit<Version, 'build' | 'text'>,
): boolean {
  if (version.major !== major) return false;
  if (minor === null) return true;
  if (patch === null) return major === 0 ? version.minor === minor : version.minor >= minor;
  if (version.minor !== minor) return major !== 0 && version.minor > minor;
  if (version.patch !== patch) return !(major === 0 && minor === 0) && version.patch > patch;
  return comparePreRelease(version.pre, pre) >= 0;
}

/** Returns true if the comparator names a pre-release of the same three numbers. */
function admitsPreRelease({ major, minor, patch, pre }: Comparator, version: Version): boolean {
  return pre !== '' && major === version.major && minor === version.minor && patch === version.patch;
}
