/** Comparison of lock files. */
import type { PackageId } from '../package-id/package-id.ts';
import type { LockedPackage, Lockfile } from './lockfile.ts';

/** Returns true if the texts have the same lines, whatever their line ends. Such a file is not written again. */
export function haveSameLines(a: string, b: string): boolean {
  return a === b || normalizedLines(a) === normalizedLines(b);
}

/**
 * Returns true if the files are equivalent: comments, version, and the order of all but unused patches do not count.
 * `--locked` requires this.
 */
export function isEquivalent(a: Lockfile, b: Lockfile): boolean {
  return (
    a.packages.length === b.packages.length &&
    a.packages.every((locked, index) => isSamePackage(locked, b.packages[index])) &&
    haveSameKeys(a.unusedPatches, b.unusedPatches) &&
    a.metadata.size === b.metadata.size &&
    Array.from(a.metadata).every(([key, value]) => b.metadata.get(key) === value) &&
    a.withoutChecksum.size === b.withoutChecksum.size &&
    Array.from(a.withoutChecksum).every((key) => b.withoutChecksum.has(key))
  );
}

/** Returns the lines of a text, joined by `\n`. A line break at the end does not count. */
function normalizedLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function isSamePackage(a: LockedPackage, b: LockedPackage | undefined): boolean {
  return (
    b !== undefined &&
    a.id.key === b.id.key &&
    a.checksum === b.checksum &&
    a.replace?.key === b.replace?.key &&
    haveSameKeys(sortedByKey(a.dependencies), sortedByKey(b.dependencies))
  );
}

function haveSameKeys(a: readonly PackageId[], b: readonly PackageId[]): boolean {
  return a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);
}

function sortedByKey(ids: readonly PackageId[]): readonly PackageId[] {
  return Array.from(ids).sort((a, b) => (a.key < b.key ? -1 : 1));
}
