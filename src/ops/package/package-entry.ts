/** Packages as the document of `metadata` has them, read back. */
import type { PackageEntry } from '../../metadata/document.ts';
import type { ShownPackage } from '../../tree/forest.ts';
import type { PackageView } from '../graph/package-view.ts';

/** Everything that the document says of a package; its id is left out. */
export function readEntry({ text: { head, tail } }: PackageView): PackageEntry {
  const entry: PackageEntry = JSON.parse(`${textOf(head)}null${textOf(tail)}`);
  return entry;
}

/** A package as `tree` shows it. What only some formats show is read from `view` when it is asked for. */
export function showPackage(
  shown: Omit<ShownPackage, 'license' | 'repository'>,
  view: PackageView,
): ShownPackage {
  let entry: PackageEntry | null = null;
  const read = (): PackageEntry => (entry ??= readEntry(view));
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
