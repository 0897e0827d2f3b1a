/** Whether packages and files of an index are still on disk as they were. */
import type { PackagePresence } from '../../derived/dependency-record.ts';
import { FolderListings } from '../../disk/folder-listings.ts';
import { HeldStamps } from '../../disk/held-stamps.ts';
import { isSameStamp, type Stamp, stampHolds } from '../../disk/stamp.ts';
import { isThere } from '../../disk/stats.ts';
import { READY_FILE } from '../../sources/package-presence.ts';

/** Looks at the disk of one moment. */
export class PackagesOnDisk {
  readonly #isShared: boolean;
  #listings = new FolderListings();
  #files = new HeldStamps();
  #packages = new HeldStamps(isInPlace);
  /** That held when it was last asked for, if nothing is shared. */
  #last: Stamp | null = null;

  /**
   * With `isShared`, nothing is asked twice that was as it should be; a single run asks for hardly anything twice, and
   * remembering takes time.
   */
  constructor({ isShared = false }: { readonly isShared?: boolean } = {}) {
    this.#isShared = isShared;
  }

  /** True if the manifest is the one that was read, and the archive needs to be neither fetched nor unpacked again. */
  has({ manifest, archive }: PackagePresence): boolean {
    if (archive === null) return this.holds(manifest);
    if (!this.#listings.has(archive)) return false;
    return this.#isShared ? this.#packages.holds(manifest) : isInPlace(manifest);
  }

  /** True if a file is as it was when the stamp was taken. */
  holds(stamp: Stamp): boolean {
    if (this.#isShared) return this.#files.holds(stamp);
    // Versions of one package stand in one file of the index, and are asked for one after the other.
    if (this.#last !== null && isSameStamp(this.#last, stamp)) return true;
    if (!stampHolds(stamp)) return false;
    this.#last = stamp;
    return true;
  }

  /** To be called before anything is fetched: another moment begins. */
  forget(): void {
    this.#listings = new FolderListings();
    this.#files = new HeldStamps();
    this.#packages = new HeldStamps(isInPlace);
    this.#last = null;
  }
}

/** True if a package was unpacked to its end, and its manifest is as it was when the stamp was taken. */
function isInPlace(manifest: Stamp): boolean {
  // Most of what a run asks for: the folder is cut off by its length, as every manifest has one name.
  const folder = manifest.path.slice(0, -'Cargo.toml'.length);
  return isThere(`${folder}${READY_FILE}`) && stampHolds(manifest);
}
