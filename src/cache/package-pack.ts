/**
 * The package cache: data from the manifests of unpacked packages, shared by all workspaces. It has one file, a pack,
 * for each source and each folder that packages are unpacked into. An unpacked package never changes, so a cache entry
 * is valid as long as the fingerprint of its manifest matches.
 */
import { dirname, join } from 'node:path';
import { type FileFingerprint, isUnchanged } from '../io/disk/fingerprint.ts';
import { readCacheFile, writeCacheFile } from './cache-folder.ts';
import { joinPath } from '../core/files/path.ts';
import { decodeEntryFile, encodeEntryFile } from './entry-file.ts';
import { hashText } from './hash-text.ts';

/** The folder of an unpacked package, and the source that it is read as. */
export interface PackageLocation {
  /** Absolute path of its folder. */
  readonly root: string;
  /** The source as documents print it. */
  readonly source: string;
}

/** The data from a package's manifest that resolving and describing need. */
export interface CachedPackage {
  /** The name of its library; null if it has none. */
  readonly libraryName: string | null;
  /** The two parts of its text in documents, as in `PackageText`. Bytes are UTF-8, and come from the cache. */
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** The header of a file. The blobs are the head and the tail of the first package, then of the second, and so on. */
interface Header {
  /**
   * The build of this program, the folder of the packages, and their source. Another build may read manifests
   * differently.
   */
  readonly key: readonly [build: string, folder: string, source: string];
  readonly packages: readonly (readonly [manifest: FileFingerprint, libraryName: string | null])[];
}

/** A larger pack is not read, so the next `save` replaces it: most of its packages are unused by then. */
const MAX_PACK_BYTES = 64 * 1024 * 1024;

/** A cached package, and the fingerprint of the manifest that it was made from. */
interface PackedPackage extends CachedPackage {
  readonly manifest: FileFingerprint;
}

/** The cached packages of one source below one folder, by the paths of their manifests. */
class Pack {
  readonly #path: string;
  readonly #key: Header['key'];
  readonly #packages = new Map<string, PackedPackage>();
  #isChanged = false;

  constructor(path: string, key: Header['key']) {
    this.#path = path;
    this.#key = key;
    try {
      this.#load();
    } catch {
      this.#packages.clear();
    }
  }

  /** Reads the file if it is valid. Throws, perhaps after some packages, if another program made it. */
  #load(): void {
    const bytes = readCacheFile(this.#path);
    const file = bytes === null || bytes.length > MAX_PACK_BYTES ? null : decodeEntryFile<Header>(bytes);
    if (file === null || JSON.stringify(file.header.key) !== JSON.stringify(this.#key)) return;
    for (const [index, [manifest, libraryName]] of file.header.packages.entries()) {
      const [head, tail] = file.blobs.slice(2 * index, 2 * index + 2);
      const hasName = typeof libraryName === 'string' || libraryName === null;
      if (!hasName || head === undefined || tail === undefined) throw new TypeError('no cached package');
      const [manifestPath] = manifest;
      this.#packages.set(manifestPath, { manifest, libraryName, head, tail });
    }
  }

  /** Returns the package of a manifest; null if there is none, or if the manifest has changed. */
  find(manifestPath: string): CachedPackage | null {
    const entry = this.#packages.get(manifestPath);
    return entry !== undefined && isUnchanged(entry.manifest) ? entry : null;
  }

  /** Adds a package, or replaces the one with the same manifest. */
  add(entry: PackedPackage): void {
    const [manifestPath] = entry.manifest;
    this.#packages.set(manifestPath, entry);
    this.#isChanged = true;
  }

  /** Writes the file if packages were added since it was read or written. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const packages = [...this.#packages.values()];
    const header: Header = {
      key: this.#key,
      packages: packages.map(({ manifest, libraryName }) => [manifest, libraryName]),
    };
    const blobs = packages.flatMap(({ head, tail }) => [Buffer.from(head), Buffer.from(tail)]);
    writeCacheFile(this.#path, encodeEntryFile({ header, blobs }));
  }
}

/** The package cache of one `CARGO_HOME`. Reads each pack on first use. */
export class PackagePacks {
  readonly #folder: string;
  readonly #build: string;
  readonly #packs = new Map<string, Pack>();

  /** `cargoHome` is an absolute path. `build` identifies this build of the program. */
  constructor(cargoHome: string, build: string) {
    this.#folder = join(cargoHome, 'tsreg', 'cache', 'packages');
    this.#build = build;
  }

  /** Returns the cache entry of a package; null if there is none, or if its manifest has changed. */
  find(location: PackageLocation): CachedPackage | null {
    return this.#packOf(location).find(joinPath(location.root, 'Cargo.toml'));
  }

  /** Adds a cache entry for the manifest with this fingerprint. `save` writes it to disk. */
  add(location: PackageLocation, manifest: FileFingerprint, entry: CachedPackage): void {
    this.#packOf(location).add({ ...entry, manifest });
  }

  /** Writes the packs with added entries to disk. May be called again after more entries were added. */
  save(): void {
    for (const pack of this.#packs.values()) pack.save();
  }

  #packOf({ root, source }: PackageLocation): Pack {
    const folder = dirname(root);
    const id = `${folder}\0${source}`;
    let pack = this.#packs.get(id);
    if (pack === undefined) {
      pack = new Pack(join(this.#folder, hashText(id)), [this.#build, folder, source]);
      this.#packs.set(id, pack);
    }
    return pack;
  }
}
