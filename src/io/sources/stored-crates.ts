/** Finds the `.crate` files of a registry on disk. Cargo Book: Cargo Home. */
import { readdirSync } from 'node:fs';
import { present } from '../../core/errors/assert.ts';
import { errnoOf } from '../disk/errno.ts';
import { joinPath } from '../../core/files/path.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { parseVersion, type Version } from '../../core/version/version.ts';
import { crateFileName } from './crate-file.ts';
import { hasCrate } from './package-presence.ts';
import { registryFolders } from './registry-folders.ts';

const CRATE_SUFFIX = '.crate';

interface CrateFolder {
  readonly path: string;
  /** File names, sorted; null if the folder cannot be listed. */
  readonly names: readonly string[] | null;
}

/**
 * The `.crate` files of one registry. A search without network checks every version of each package, and most are
 * missing. So the folders are listed once, at their first use.
 */
export class StoredCrates {
  readonly #cache: PackageCache;
  readonly #source: SourceId;
  #folders: readonly CrateFolder[] | null = null;
  /** Listed versions by package name; null if a folder cannot be listed. */
  readonly #listedVersions = new Map<string, ReadonlySet<string> | null>();
  /** The same, parsed. */
  readonly #versions = new Map<string, readonly Version[] | null>();
  /** Results of `isIn`, by folder and file name. */
  readonly #results = new Map<string, Map<string, boolean>>();

  /** `source` is the registry that packages really come from. */
  constructor(source: SourceId, { cache }: { readonly cache: PackageCache }) {
    this.#cache = cache;
    this.#source = source;
  }

  /** Forgets all results. Call it if files may have been added. */
  forget(): void {
    this.#folders = null;
    this.#listedVersions.clear();
    this.#versions.clear();
    this.#results.clear();
  }

  /** Returns true if the archive of a package was listed and is not empty. */
  has(id: Pick<PackageId, 'name' | 'version'>): boolean {
    const { name, version } = id;
    const file = crateFileName(id);
    if (this.#listedOf(name)?.has(version.text) === false) return false;
    return this.#listFolders().some(({ path }) => this.isIn(path, file));
  }

  /** Like `has`, for a file in one folder, listed or not. */
  isIn(folder: string, file: string): boolean {
    let results = this.#results.get(folder);
    if (results === undefined) {
      results = new Map();
      this.#results.set(folder, results);
    }
    let isStored = results.get(file);
    if (isStored === undefined) {
      isStored = hasCrate(joinPath(folder, file));
      results.set(file, isStored);
    }
    return isStored;
  }

  /** Returns the versions of a package that may be on disk; null if they cannot be listed. */
  versionsOf(name: string): readonly Version[] | null {
    let versions = this.#versions.get(name);
    if (versions === undefined) {
      const versionTexts = this.#listedOf(name);
      // For `a`, the list of versions contains `b-1.0.0` if there is a file `a-b-1.0.0.crate`.
      versions =
        versionTexts === null ? null : Array.from(versionTexts).flatMap((text) => versionOrNone(text));
      this.#versions.set(name, versions);
    }
    return versions;
  }

  /** Returns the listed versions of a package as texts; null if a folder cannot be listed. */
  #listedOf(name: string): ReadonlySet<string> | null {
    let versions = this.#listedVersions.get(name);
    if (versions === undefined) {
      versions = versionsIn(this.#listFolders(), name);
      this.#listedVersions.set(name, versions);
    }
    return versions;
  }

  #listFolders(): readonly CrateFolder[] {
    return (this.#folders ??= [this.#cache.home, this.#cache.ownHome].map((home) =>
      listFolder(registryFolders(home, this.#source).cache),
    ));
  }
}

/** Parses a version. Returns an empty list, which `flatMap` leaves out, for another text. */
function versionOrNone(text: string): Version | [] {
  if (!/^[0-9]/.test(text)) return [];
  try {
    return parseVersion(text);
  } catch {
    return [];
  }
}

/** Returns the texts between `name-` and `.crate` in file names; null if a folder cannot be listed. */
function versionsIn(folders: readonly CrateFolder[], name: string): ReadonlySet<string> | null {
  const versions = new Set<string>();
  const prefix = `${name}-`;
  for (const { names } of folders) {
    if (names === null) return null;
    let index = firstIndexFrom(names, prefix);
    for (let file = names[index]; file?.startsWith(prefix) === true; file = names[index]) {
      versions.add(file.slice(prefix.length, -CRATE_SUFFIX.length));
      index += 1;
    }
  }
  return versions;
}

/** Returns the index of the first name that does not sort before `text`. `names` must be sorted. */
function firstIndexFrom(names: readonly string[], text: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (present(names[middle], 'a file name') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listFolder(path: string): CrateFolder {
  try {
    return { path, names: readdirSync(path).sort((a, b) => (a < b ? -1 : 1)) };
  } catch (error) {
    return { path, names: errnoOf(error) === 'ENOENT' ? [] : null };
  }
}
