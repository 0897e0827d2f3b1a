/** Orders of versions, as in the Rust crate `semver`. */
import { compareNumeric } from './numeric.ts';
import type { Version } from './version.ts';

/**
 * Compares versions in a total order: numbers, pre-release (none is highest), then build metadata (none is lowest).
 * Returns a negative number, 0 or a positive one; 0 only if the texts are equal.
 */
export function compareVersions(a: Version, b: Version): number {
  return a === b ? 0 : comparePrecedence(a, b) || compareBuild(a.build, b.build);
}

/** Compares versions like `compareVersions`, but without their build metadata. */
export function comparePrecedence(a: Version, b: Version): number {
  return (
    compareNumeric(a.major, b.major) ||
    compareNumeric(a.minor, b.minor) ||
    compareNumeric(a.patch, b.patch) ||
    comparePreRelease(a.pre, b.pre)
  );
}

/** Compares two pre-releases (without `-`). The empty one is the highest. */
export function comparePreRelease(a: string, b: string): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  return compareIdentifiers(a, b, (left, right) => left.length - right.length || compareAscii(left, right));
}

/**
 * Returns the name of the range of versions that cargo treats as compatible: versions with the same left-most nonzero
 * number share it. Ignores pre-release and build metadata. Cargo Book: Specifying Dependencies, Version requirement
 * syntax.
 */
export function compatBucket(version: Version): string {
  if (version.major !== 0) return `${version.major}`;
  return version.minor === 0 ? `0.0.${version.patch}` : `0.${version.minor}`;
}

/** Compares build metadata (without `+`). None is the lowest. */
export function compareBuild(a: string, b: string): number {
  if (a === b) return 0;
  return compareIdentifiers(a, b, (left, right) => {
    // Build metadata may have leading zeros. Of equal values the longer text is greater.
    const leftDigits = left.replace(/^0+/, '');
    const rightDigits = right.replace(/^0+/, '');
    return (
      leftDigits.length - rightDigits.length ||
      compareAscii(leftDigits, rightDigits) ||
      left.length - right.length
    );
  });
}

/** Matches numeric identifiers, and the empty text. */
const DIGITS = /^[0-9]*$/;

/** Compares dot-separated identifiers in pairs: numbers before text. Of two equal starts, the shorter list is lower. */
function compareIdentifiers(
  a: string,
  b: string,
  compareNumbers: (left: string, right: string) => number,
): number {
  const leftList = a.split('.');
  const rightList = b.split('.');
  for (const [index, left] of leftList.entries()) {
    const right = rightList[index];
    if (right === undefined) return 1;
    const leftIsNumber = DIGITS.test(left);
    if (leftIsNumber !== DIGITS.test(right)) return leftIsNumber ? -1 : 1;
    const order = leftIsNumber ? compareNumbers(left, right) : compareAscii(left, right);
    if (order !== 0) return order;
  }
  return leftList.length - rightList.length;
}

function compareAscii(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
