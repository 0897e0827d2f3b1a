/** Manifests of packages from registries, read without the workspace around them. */
import { NodeFiles } from '../../disk/node-files.ts';
import { ScratchReader } from '../../disk/scratch-reader.ts';
import { SETTLING_MS, type Stamp, takeStamp } from '../../disk/stamp.ts';
import type { Files } from '../../files/files.ts';
import { type PackageText, packageText } from '../../metadata/package-text.ts';
import { CRATES_IO_NAME } from '../../package-id/crates-io.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { formatSourceUrl, parseSourceUrl } from '../../package-id/source-url.ts';
import { hasCrate, isUnpacked } from '../../sources/package-presence.ts';
import { type ExpectedLine, readSharedLines, type SharedLines } from '../../sources/shared-lines.ts';
import { ParsedTexts } from '../../summary/parsed-texts.ts';
import { ManifestLoader } from '../../workspace/manifest-loader.ts';
import { type Claims, noteFound, takeClaim } from './claims.ts';
import { libraryNameOf } from './workspace-view.ts';

/** A package of a lock file that may have been unpacked. */
export interface ExpectedPackage extends ExpectedLine {
  readonly name: string;
  /** As the lock file names it. */
  readonly source: string;
  /** Absolute path of its folder. */
  readonly root: string;
  /** Absolute path of the `.crate`. */
  readonly archive: string;
}

/** Which manifests to read. */
export interface ReadingOrder {
  readonly cargoHome: string;
  readonly packages: readonly ExpectedPackage[];
  /** Of each package. */
  readonly claims: Claims;
  /** What the index says of each package. */
  readonly lines: SharedLines;
}

/** What was read. */
export interface ReadManifests {
  readonly packages: readonly ReadPackage[];
  /** Every source that the texts name, as they do. */
  readonly sources: readonly string[];
  /** Their JSON texts before and behind the id as UTF-8, one behind the other. */
  readonly texts: Uint8Array<ArrayBuffer>;
}

/** What was read of one package. */
export interface ReadPackage {
  /** As the text names it. */
  readonly source: string;
  /** The manifest as it was before it was read. */
  readonly manifest: Stamp;
  /** As of `PackageView`. */
  readonly libraryName: string | null;
  /** How much of `texts` is its head, and how much its tail. */
  readonly headBytes: number;
  readonly tailBytes: number;
}

/**
 * Reads what nobody else has begun with, in the order of `packages`. Left out is whatever is not there, has changed a
 * moment ago, or has anything in it that depends on more than the text: it is to be read with care, and told of.
 */
export function readManifests({ cargoHome, packages, claims, lines }: ReadingOrder): ReadManifests {
  // First, since resolving asks for them.
  readSharedLines(packages, lines);
  const reader = new ManifestReader(cargoHome);
  const read: ReadPackage[] = [];
  const texts = new TextMemory();
  const named = new Set([sourceText(reader.sources.cratesIo())]);
  for (const [index, each] of packages.entries()) {
    if (!takeClaim(claims, index)) continue;
    try {
      if (!hasCrate(each.archive) || !isUnpacked(each.root)) continue;
      noteFound(claims, index);
      const found = reader.read(each);
      if (found === null) continue;
      const { source, manifest, libraryName, text } = found;
      named.add(source);
      const [headBytes, tailBytes] = [texts.add(text.head), texts.add(text.tail)];
      read.push({ source, manifest, libraryName, headBytes, tailBytes });
    } catch {
      // Whoever needs it finds the same, and can say what it is needed for.
    }
  }
  return { packages: read, sources: [...named], texts: texts.written() };
}

interface FoundPackage extends Pick<ReadPackage, 'source' | 'manifest' | 'libraryName'> {
  readonly text: PackageText;
}

/** Reads one package after the other. */
class ManifestReader {
  readonly sources = new SourceTable();
  readonly #cargoHome: string;
  readonly #scratch = new ScratchReader();
  readonly #parsed = new ParsedTexts();
  /** By their texts in the lock file. */
  readonly #sourceIds = new Map<string, SourceId>();

  constructor(cargoHome: string) {
    this.#cargoHome = cargoHome;
  }

  read({ name, version, source, root }: ExpectedPackage): FoundPackage | null {
    const { sources } = this;
    const path = manifestIn(root);
    const stamp = takeStamp(path);
    if (stamp === null || stamp.changedMs >= Date.now() - SETTLING_MS) return null;
    const manifest = this.#loader().loadPackage(path, this.#sourceOf(source));
    const { id, dependencies } = manifest.summary;
    if (id.name !== name || id.version.text !== version) return null;
    // Of a registry that no lock file names there may be several spellings, of which the first that a run meets holds.
    const isKnown = (each: SourceId): boolean => each === id.source || each === sources.cratesIo();
    if (!dependencies.every(({ source: each, registry: from }) => isKnown(each) && isKnown(from ?? each)))
      return null;
    return {
      source: sourceText(id.source),
      manifest: stamp,
      libraryName: libraryNameOf(manifest),
      text: packageText(manifest),
    };
  }

  /** Nothing of one package is asked for another. */
  #loader(): ManifestLoader {
    const { sources } = this;
    const disk = new NodeFiles();
    const files: Files = {
      read: (path) => this.#scratch.read(path),
      list: (path) => disk.list(path),
      kind: (path) => disk.kind(path),
      exists: (path) => disk.exists(path),
    };
    const registry = (registryName: string): SourceId => {
      if (registryName === CRATES_IO_NAME) return sources.cratesIo();
      throw new RangeError(`what registry \`${registryName}\` is, configuration says`);
    };
    return new ManifestLoader({ files, sources, cargoHome: this.#cargoHome, registry, parsed: this.#parsed });
  }

  #sourceOf(text: string): SourceId {
    let source = this.#sourceIds.get(text);
    if (source === undefined) this.#sourceIds.set(text, (source = parseSourceUrl(text, this.sources)));
    return source;
  }
}

/** Texts as UTF-8, one behind the other. */
class TextMemory {
  #memory = Buffer.from(new ArrayBuffer(INITIAL_BYTES));
  #size = 0;

  /** Returns how many bytes the text takes. */
  add(text: string): number {
    const most = this.#size + text.length * MAX_BYTES_OF_UNIT;
    if (most > this.#memory.length) {
      const larger = Buffer.from(new ArrayBuffer(2 * most));
      this.#memory.copy(larger, 0, 0, this.#size);
      this.#memory = larger;
    }
    const count = this.#memory.write(text, this.#size);
    this.#size += count;
    return count;
  }

  written(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#size);
  }
}

/** Of memory that is never written nothing is used. */
const INITIAL_BYTES = 16 * 1024 * 1024;
/** Of UTF-8, for each unit of UTF-16. */
const MAX_BYTES_OF_UNIT = 3;

/** As whoever reads a package calls its manifest. */
export function manifestIn(root: string): string {
  return `${root}/Cargo.toml`;
}

/** A source of packages as documents and lock files name it. */
export function sourceText(source: SourceId): string {
  return formatSourceUrl(source, { encoded: false });
}
