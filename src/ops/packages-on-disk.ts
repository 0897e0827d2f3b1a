/** Whether packages are still on disk as they were. */
import type { PackagePresence } from '../derived/dependency-record.ts';
import { FolderListings } from '../disk/folder-listings.ts';
import { stampHolds } from '../disk/stamp.ts';

/** Looks at the disk of one moment. */
export class PackagesOnDisk {
  readonly #listings = new FolderListings();

  /** True if the manifest is the one that was read, and the archive needs not be fetched again. */
  has({ manifest, archive }: PackagePresence): boolean {
    return (archive === null || this.#listings.has(archive)) && stampHolds(manifest);
  }
}
