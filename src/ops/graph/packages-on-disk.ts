/** Whether packages are still on disk as they were. */
import type { PackagePresence } from '../../derived/dependency-record.ts';
import { FolderListings } from '../../disk/folder-listings.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import { isThere } from '../../disk/stats.ts';

/** Looks at the disk of one moment. */
export class PackagesOnDisk {
  readonly #listings = new FolderListings();

  /** True if the manifest is the one that was read, and the archive needs to be neither fetched nor unpacked again. */
  has({ manifest, archive }: PackagePresence): boolean {
    const isComplete = archive === null || (this.#listings.has(archive) && isThere(markBeside(manifest)));
    return isComplete && stampHolds(manifest);
  }
}

/** The file that says that a package was unpacked to its end. */
function markBeside({ path }: Stamp): string {
  return `${path.slice(0, path.lastIndexOf('/'))}/.cargo-ok`;
}
