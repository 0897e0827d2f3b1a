/** Which `.crate` files of a registry are on disk. Cargo Book: Cargo Home. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../disk/errno.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { crateFileName, hasCrate } from './crate-downloads.ts';
import { registryFolders } from './registry-folders.ts';

interface CrateFolder {
  readonly path: string;
  /** null if it may be looked into and not listed. */
  readonly names: ReadonlySet<string> | null;
}

/**
 * The `.crate` files of one registry. A search without network asks for each version of each package that it
 * meets, and nearly all of them are not there: so the folders are listed once, when they are first asked for.
 */
export class StoredCrates {
  readonly #cache: PackageCache;
  readonly #source: SourceId;
  #folders: readonly CrateFolder[] | null = null;
  /** Answers so far, by the name of the file. */
  readonly #known = new Map<string, boolean>();

  /** `source` is the registry that packages really come from. */
  constructor(cache: PackageCache, source: SourceId) {
    this.#cache = cache;
    this.#source = source;
  }

  /** Looks again at the next question; to be called when files may have been added. */
  forget(): void {
    this.#folders = null;
    this.#known.clear();
  }

  /** True if the archive of a package was there when the folders were listed and has anything in it. */
  has(id: Pick<PackageId, 'name' | 'version'>): boolean {
    this.#folders ??= [this.#cache.home, this.#cache.ownHome].map((home) =>
      listFolder(registryFolders(home, this.#source).cache),
    );
    const file = crateFileName(id);
    let isThere = this.#known.get(file);
    if (isThere === undefined) {
      isThere = this.#folders.some(
        ({ path, names }) => names?.has(file) !== false && hasCrate(join(path, file)),
      );
      this.#known.set(file, isThere);
    }
    return isThere;
  }
}

function listFolder(path: string): CrateFolder {
  try {
    return { path, names: new Set(readdirSync(path)) };
  } catch (error) {
    return { path, names: errnoOf(error) === 'ENOENT' ? new Set() : null };
  }
}
