/** Whether packages and files of an index are still on disk as they were. */
import type { PackagePresence } from '../../derived/dependency-record.ts';
import { FolderListings } from '../../disk/folder-listings.ts';
import { HeldStamps } from '../../disk/held-stamps.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import { isThere } from '../../disk/stats.ts';

/** Looks at the disk of one moment. */
export class PackagesOnDisk {
  readonly #isShared: boolean;
  #listings = new FolderListings();
  #stamps = new HeldStamps();
  #marks = new Set<string>();

  /**
   * With `isShared`, nothing is asked twice that was as it should be; a single run asks for hardly anything twice, and
   * remembering takes time.
   */
  constructor({ isShared = false }: { readonly isShared?: boolean } = {}) {
    this.#isShared = isShared;
  }

  /** True if the manifest is the one that was read, and the archive needs to be neither fetched nor unpacked again. */
  has({ manifest, archive }: PackagePresence): boolean {
    const isComplete = archive === null || (this.#listings.has(archive) && this.#isMarked(manifest));
    return isComplete && this.holds(manifest);
  }

  /** True if a file is as it was when the stamp was taken. */
  holds(stamp: Stamp): boolean {
    return this.#isShared ? this.#stamps.holds(stamp) : stampHolds(stamp);
  }

  /** To be called before anything is fetched: another moment begins. */
  forget(): void {
    this.#listings = new FolderListings();
    this.#stamps = new HeldStamps();
    this.#marks = new Set();
  }

  #isMarked({ path }: Stamp): boolean {
    if (!this.#isShared) return isThere(markBeside(path));
    if (this.#marks.has(path)) return true;
    if (!isThere(markBeside(path))) return false;
    this.#marks.add(path);
    return true;
  }
}

/** The file that says that the package with this manifest was unpacked to its end. */
function markBeside(manifest: string): string {
  return `${manifest.slice(0, -'Cargo.toml'.length)}.cargo-ok`;
}
