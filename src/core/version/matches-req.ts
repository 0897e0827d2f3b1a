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

function equalsAsWritten({ major, minor, patch, pre }: Comparator, version: Version): boolean {
  return (
    version.major === major &&
    (minor === null || version.minor === minor) &&
    (patch === null || version.patch === patch) &&
    version.pre === pre
  );
}

/** Compares the version with the written numbers. Returns 0 if these are equal and others are not written. */
function orderAsWritten({ major, minor, patch, pre }: Comparator, version: Version): number {
  return (
    compareNumeric(version.major, major) ||
    (minor === null
      ? 0
      : compareNumeric(version.minor, minor) ||
        (patch === null ? 0 : compareNumeric(version.patch, patch) || comparePreRelease(version.pre, pre)))
  );
}

function matchesTilde({ major, minor, patch, pre }: Comparator, version: Version): boolean {
  if (version.major !== major) return false;
  if (minor !== null && version.minor !== minor) return false;
  if (patch !== null && version.patch !== patch) return version.patch > patch;
  return comparePreRelease(version.pre, pre) >= 0;
}

/** Returns true if `version` satisfies the requirement `^…` with the written numbers. */
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
