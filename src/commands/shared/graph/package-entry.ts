/** Reads packages from their JSON in the `metadata` document. */
import type { PackageEntry } from '../../../core/document/document.ts';
import type { ShownPackage } from '../../../core/tree/dependency-tree.ts';
import type { PackageView } from '../graph/package-view.ts';

/** Returns a package's entry in the document, with null as its id. */
export function readEntry({ text: { head, tail } }: PackageView): PackageEntry {
  const entry: PackageEntry = JSON.parse(`${textOf(head)}null${textOf(tail)}`);
  return entry;
}

/** Returns a package for `tree`. Reads fields that only some formats show lazily from `view`. */
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

/** Returns a part of a package's text, which may be UTF-8, as a string. */
export function textOf(part: string | Uint8Array): string {
  return typeof part === 'string' ? part : Buffer.from(part).toString('utf8');
}
