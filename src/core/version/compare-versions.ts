import { compareNumeric } from './numeric.ts';
import type { Version } from './version.ts';

/**
 * Compares versions in a total order: numbers, pre-release (none is highest), then build metadata (none is lowest).
 * Returns a negative number, 0 or a positive one; 0 only if the texts are equal.
 */
export function compareVersions(a: Version, b: Version): number {
  return a === b ? 0 : comparePrecedence(a, b) || compareBuild(a.build, b.build);
}

/** Compares versions without their build metadata. */
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
  return compareIdentifiers(a, b, (x, y) => x.length - y.length || compareAscii(x, y));
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
  return compareIdentifiers(a, b, (x, y) => {
    // Build metadata may have leading zeros. Of equal values the longer text is greater.
    const xDigits = x.replace(/^0+/, '');
    const yDigits = y.replace(/^0+/, '');
    return xDigits.length - yDigits.length || compareAscii(xDigits, yDigits) || x.length - y.length;
  });
}

const DIGITS = /^[0-9]*$/;

function compareIdentifiers(a: string, b: string, compareDigits: (x: string, y: string) => number): number {
  const left = a.split('.');
  const right = b.split('.');
  for (const [i, x] of left.entries()) {
    const y = right[i];
    if (y === undefined) return 1;
    const xIsNumber = DIGITS.test(x);
    const yIsNumber = DIGITS.test(y);
    if (xIsNumber !== yIsNumber) return xIsNumber ? -1 : 1;
    const order = xIsNumber ? compareDigits(x, y) : compareAscii(x, y);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareAscii(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
