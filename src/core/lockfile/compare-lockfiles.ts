/** Comparison of lock files. */
import type { PackageId } from '../package-id/package-id.ts';
import type { LockedPackage, Lockfile } from './lockfile.ts';

/** Returns true if the texts have the same lines, whatever their line ends. Such a file is not written again. */
export function haveSameLines(a: string, b: string): boolean {
  return a === b || lines(a) === lines(b);
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

function lines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

function isSamePackage(a: LockedPackage, b: LockedPackage | undefined): boolean {
  return (
    b !== undefined &&
    a.id.key === b.id.key &&
    a.checksum === b.checksum &&
    a.replace?.key === b.replace?.key &&
    haveSameKeys(sorted(a.dependencies), sorted(b.dependencies))
  );
}

function haveSameKeys(a: readonly PackageId[], b: readonly PackageId[]): boolean {
  return a.length === b.length && a.every(({ key }, index) => key === b[index]?.key);
}

function sorted(ids: readonly PackageId[]): readonly PackageId[] {
  return Array.from(ids).sort((a, b) => (a.key < b.key ? -1 : 1));
}
