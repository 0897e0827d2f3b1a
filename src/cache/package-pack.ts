/**
 * The package cache: what was made of the manifests of unpacked packages, one file for each folder that packages are
 * unpacked into, shared by all workspaces. An unpacked package never changes, so what is cached of it holds as long as
 * the fingerprint of its manifest does.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FileFingerprint, isUnchanged } from '../disk/fingerprint.ts';
import { readCacheFile, writeCacheFile } from './cache-folder.ts';
import { decodeEntryFile, encodeEntryFile } from './entry-file.ts';
import { hashText } from './hash-text.ts';

/** Where a package is unpacked, and the source that it is read as. */
export interface PackageLocation {
  /** Absolute path of its folder. */
  readonly root: string;
  /** The source as documents print it. */
  readonly source: string;
}

/** What resolving and describing need of a package's manifest. */
export interface CachedPackage {
  /** As of `PackageView`. */
  readonly libraryName: string | null;
  /** As of `PackageText`. */
  readonly head: string | Uint8Array;
  readonly tail: string | Uint8Array;
}

/** Three for each package: its folder's name with the fingerprint of its manifest and the name of its library; head; tail. */
interface Header {
  /** The build of this program, the folder that packages are in, and their source. Another build may read manifests differently. */
  readonly key: readonly [build: string, folder: string, source: string];
  readonly packages: readonly (readonly [
    name: string,
    size: number,
    modifiedMs: number,
    changedMs: number,
    inode: number,
    libraryName: string | null,
  ])[];
}

/** A larger pack is started anew: most of it is of packages that are gone. */
const MAX_PACK_BYTES = 64 * 1024 * 1024;

interface PackedPackage extends CachedPackage {
  readonly manifest: FileFingerprint;
}

/** The packages of one source below one folder. */
class Pack {
  readonly #path: string;
  readonly #key: Header['key'];
  readonly #packages = new Map<string, PackedPackage>();
  #isChanged = false;

  constructor(path: string, key: Header['key']) {
    this.#path = path;
    this.#key = key;
    const bytes = readCacheFile(path);
    const file = bytes === null || bytes.length > MAX_PACK_BYTES ? null : decodeEntryFile<Header>(bytes);
    if (file === null || JSON.stringify(file.header.key) !== JSON.stringify(key)) return;
    const [, folder] = key;
    for (const [
      at,
      [name, size, modifiedMs, changedMs, inode, libraryName],
    ] of file.header.packages.entries()) {
      const manifest = { path: join(folder, name, 'Cargo.toml'), size, modifiedMs, changedMs, inode };
      const [head = '', tail = ''] = file.blobs.slice(2 * at, 2 * at + 2);
      this.#packages.set(name, { manifest, libraryName, head, tail });
    }
  }

  find(name: string): CachedPackage | null {
    const found = this.#packages.get(name);
    return found !== undefined && isUnchanged(found.manifest) ? found : null;
  }

  add(name: string, content: PackedPackage): void {
    this.#packages.set(name, content);
    this.#isChanged = true;
  }

  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const packages = Array.from(this.#packages, ([name, { manifest, libraryName }]) => {
      const { size, modifiedMs, changedMs, inode } = manifest;
      return [name, size, modifiedMs, changedMs, inode, libraryName] as const;
    });
    const blobs = Array.from(this.#packages.values(), ({ head, tail }) => [head, tail]).flat();
    const header: Header = { key: this.#key, packages };
    writeCacheFile(this.#path, encodeEntryFile({ header, blobs: blobs.map((each) => Buffer.from(each)) }));
  }
}

/** The package cache of one `CARGO_HOME`. */
export class PackagePacks {
  readonly #folder: string;
  readonly #build: string;
  readonly #packs = new Map<string, Pack>();

  constructor(cargoHome: string, build: string) {
    this.#folder = join(cargoHome, 'tsreg', 'cache', 'packages');
    this.#build = build;
  }

  /** True if nothing is cached. */
  get isEmpty(): boolean {
    return !existsSync(this.#folder);
  }

  /** What is cached of a package; null if that is nothing, or is of another state of its manifest. */
  find(location: PackageLocation): CachedPackage | null {
    return this.#packOf(location).find(basename(location.root));
  }

  /** Adds what was made of the manifest with this fingerprint. Not on disk before `save`. */
  add(location: PackageLocation, manifest: FileFingerprint, content: CachedPackage): void {
    this.#packOf(location).add(basename(location.root), { ...content, manifest });
  }

  /** Writes what was added. */
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
