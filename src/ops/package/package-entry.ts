/** Packages as the document of `metadata` has them, read back. */
import type { PrintedPackage } from '../../derived/package-view.ts';
import type { PackageEntry } from '../../metadata/document.ts';
import type { ShownPackage } from '../../tree/forest.ts';

/** Everything that the document says of a package; its id is left out. */
export function readEntry({ text: { head, tail } }: PrintedPackage): PackageEntry {
  const entry: PackageEntry = JSON.parse(`${textOf(head)}null${textOf(tail)}`);
  return entry;
}

/** A package as `tree` shows it. What only some formats show is read from `printed` when it is asked for. */
export function showPackage(
  shown: Omit<ShownPackage, 'license' | 'repository'>,
  printed: PrintedPackage,
): ShownPackage {
  let entry: PackageEntry | null = null;
  const read = (): PackageEntry => (entry ??= readEntry(printed));
  return {
    ...shown,
    get license() {
      return read().license;
    },
    get repository() {
      return read().repository;
    },
  };
}

function textOf(part: string | Uint8Array): string {
  return typeof part === 'string' ? part : Buffer.from(part).toString('utf8');
}
