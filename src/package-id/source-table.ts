import { TsregError } from '../errors/error.ts';
import { CRATES_IO_INDEX, CRATES_IO_NAME, CRATES_IO_SPARSE_INDEX } from './crates-io.ts';
import type { GitReference, NamingPlace, SourceId, SourceKind } from './source-id.ts';
import { canonicalizeUrl, checkAuthority, parseUrl, pathToUrl } from './url.ts';

/** What makes a source. `reference` and `precise` are for git only. */
export interface SourceParts {
  readonly kind: SourceKind;
  /** Normalised, and without any prefix such as `sparse+`. */
  readonly url: string;
  readonly reference?: GitReference | null;
  readonly precise?: string | null;
  /** What messages are to call the registry; null for its URL. Left out where that is to be decided by who comes later. */
  readonly registryName?: string | null | undefined;
}

type Writable = { -readonly [K in keyof SourceId]: SourceId[K] };

const DEFAULT_BRANCH: GitReference = { kind: 'default' };
const SPARSE = 'sparse+';

/** The sources that an operation has met. Equal sources are the same object. */
export class SourceTable {
  readonly #sources: Writable[] = [];
  readonly #byKey = new Map<string, Writable>();
  readonly #byPath = new Map<string, SourceId>();
  /** Registries of which it is not decided what messages call them. */
  readonly #undecided = new Set<SourceId>();
  #cratesIo: SourceId | null = null;
  #place: NamingPlace = 'manifests';
  #decidedNamesLate = false;

  /** How many sources there are; indexes `ix` run below it. */
  get size(): number {
    return this.#sources.length;
  }

  /**
   * The source made of `parts`. Of several spellings of one URL the first that is met stays, and so does the
   * first decision on what a registry is called. Throws where the URL cannot be that of a source.
   */
  intern(parts: SourceParts): SourceId {
    const { kind } = parts;
    // A pinned source is spelled as the source that it is a commit of.
    const url = kind === 'git' && parts.precise ? this.intern({ ...parts, precise: null }).url : parts.url;
    if (kind === 'git' || kind === 'registry') checkAuthority(url);
    const canonicalUrl = canonicalizeUrl(kind === 'sparse-registry' ? SPARSE + url : url);
    const reference = kind === 'git' ? (parts.reference ?? DEFAULT_BRANCH) : null;
    const precise = kind === 'git' ? (parts.precise ?? null) : null;
    const unpinnedKey = keyOf(kind, canonicalUrl, reference);
    const key = precise === null ? unpinnedKey : `${unpinnedKey}\n${precise}`;
    let source = this.#byKey.get(key);
    if (source === undefined) {
      const registryName = nameOfCratesIo(kind, url);
      const ix = this.#sources.length;
      source = {
        ix,
        kind,
        url,
        canonicalUrl,
        reference,
        precise,
        registryName,
        namedIn: null,
        key,
        unpinnedKey,
      };
      this.#sources.push(source);
      this.#byKey.set(key, source);
      if (registryName === null && isRemoteRegistry(kind)) this.#undecided.add(source);
    }
    if (parts.registryName !== undefined) this.#decideName(source, parts.registryName);
    return source;
  }

  /** Says that the manifests on paths have been read, or as many of them as are before the lock file. */
  markManifestsRead(): void {
    this.#place = 'later';
  }

  /** A lock file calls a registry by its URL, unless manifests have named it. */
  leaveUnnamed(source: SourceId): void {
    this.#undecided.delete(source);
  }

  /**
   * True if names were decided on behind the manifests, and by no lock file: a run that finds these registries in a lock
   * file may decide otherwise.
   */
  get decidedNamesLate(): boolean {
    return this.#decidedNamesLate;
  }

  /** The source at `ix`. */
  at(ix: number): SourceId {
    const source = this.#sources[ix];
    if (source === undefined) throw new TsregError(`no source has the index ${ix}`, { code: 'bug' });
    return source;
  }

  /** The path source of an absolute folder. */
  forPath(folder: string): SourceId {
    let source = this.#byPath.get(folder);
    if (source === undefined) {
      source = this.intern({ kind: 'path', url: pathToUrl(folder) });
      this.#byPath.set(folder, source);
    }
    return source;
  }

  /** The registry of an index URL: sparse if it starts with `sparse+`, else git. `registryName` as in `SourceParts`. */
  forRegistryIndex(indexUrl: string, registryName?: string | null): SourceId {
    const url = parseUrl(indexUrl);
    return url.startsWith(SPARSE)
      ? this.intern({ kind: 'sparse-registry', url: url.slice(SPARSE.length), registryName })
      : this.intern({ kind: 'registry', url, registryName });
  }

  /** The registry of an index URL as a `[source]` table of the configuration calls it. */
  forSourceTable(indexUrl: string, name: string): SourceId {
    const source = this.forRegistryIndex(indexUrl);
    this.#decideName(source, name, 'source-table');
    return source;
  }

  /** A git repository, followed by `reference` and pinned to the commit `precise` if not null. */
  forGit(url: string, reference: GitReference, precise: string | null = null): SourceId {
    return this.intern({ kind: 'git', url: parseUrl(url), reference, precise });
  }

  /** The directory source (vendored packages) of an absolute folder. */
  forDirectory(folder: string): SourceId {
    return this.intern({ kind: 'directory', url: pathToUrl(folder) });
  }

  /** The local registry of an absolute folder. */
  forLocalRegistry(folder: string): SourceId {
    return this.intern({ kind: 'local-registry', url: pathToUrl(folder) });
  }

  /** crates.io as it is named in ids and lock files: by its git index, whatever protocol is spoken. */
  cratesIo(): SourceId {
    return (this.#cratesIo ??= this.intern({ kind: 'registry', url: CRATES_IO_INDEX }));
  }

  /** crates.io's sparse index, from which its packages really come unless config says otherwise. */
  cratesIoSparse(): SourceId {
    return this.intern({ kind: 'sparse-registry', url: CRATES_IO_SPARSE_INDEX });
  }

  /** `source` pinned to a commit, or unpinned with null. Only git sources can be pinned. */
  withPrecise(source: SourceId, precise: string | null): SourceId {
    return source.kind === 'git' && source.precise !== precise ? this.intern({ ...source, precise }) : source;
  }

  #decideName(source: Writable, name: string | null, place: NamingPlace = this.#place): void {
    if (!this.#undecided.delete(source)) return;
    source.registryName = name;
    source.namedIn = place;
    this.#decidedNamesLate ||= this.#place === 'later';
  }
}

function isRemoteRegistry(kind: SourceKind): boolean {
  return kind === 'registry' || kind === 'sparse-registry';
}

function keyOf(kind: SourceKind, canonicalUrl: string, reference: GitReference | null): string {
  if (reference === null || reference.kind === 'default') return `${kind} ${canonicalUrl}`;
  return `${kind} ${canonicalUrl} ${reference.kind}=${reference.name}`;
}

function nameOfCratesIo(kind: SourceKind, url: string): string | null {
  const isCratesIo =
    (kind === 'registry' && url === CRATES_IO_INDEX) ||
    (kind === 'sparse-registry' && url === CRATES_IO_SPARSE_INDEX);
  return isCratesIo ? CRATES_IO_NAME : null;
}
