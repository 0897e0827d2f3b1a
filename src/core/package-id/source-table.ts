/** The sources of an operation, and their names in messages. */
import { TsregError } from '../errors/error.ts';
import { CRATES_IO_INDEX, CRATES_IO_NAME, CRATES_IO_SPARSE_INDEX } from './crates-io.ts';
import { isCratesIoUrl, isRemoteRegistry } from './source-id.ts';
import type { GitReference, NamingPlace, SourceId, SourceKind } from './source-id.ts';
import { canonicalizeUrl, checkAuthority, parseUrl, pathToUrl } from './url.ts';

/** The parts of a source. `reference` and `precise` are for git only. */
export interface SourceParts {
  readonly kind: SourceKind;
  /** Normalized, without a prefix such as `sparse+`. */
  readonly url: string;
  readonly reference?: GitReference | null;
  readonly precise?: string | null;
  /** The name of the registry in messages; null for its URL. If it is missing, a later caller decides. */
  readonly registryName?: string | null | undefined;
}

/** A source as the table stores it: its name may still be decided. */
type MutableSource = { -readonly [K in keyof SourceId]: SourceId[K] };

const DEFAULT_BRANCH: GitReference = { kind: 'default' };
const SPARSE = 'sparse+';

/**
 * Makes every `SourceId`, so that equal sources are the same object. Also decides the names of registries in messages,
 * in the order in which a run meets them: see `NamingPlace`.
 */
export class SourceTable {
  readonly #sources: MutableSource[] = [];
  readonly #byKey = new Map<string, MutableSource>();
  readonly #byPath = new Map<string, SourceId>();
  /** Registries whose name for messages is not decided yet. */
  readonly #undecided = new Set<SourceId>();
  #cratesIo: SourceId | null = null;
  /** The place of decisions from now on, except those of `forConfiguredSource`. */
  #place: NamingPlace = 'manifests';
  #decidedNamesLate = false;

  /** Returns the number of sources. Every `ix` is smaller. */
  get size(): number {
    return this.#sources.length;
  }

  /**
   * Returns the source made of `parts`. The first spelling of a URL stays, and so does the first decision about the
   * name of a registry. Throws if no source can have this URL.
   */
  intern(parts: SourceParts): SourceId {
    const { kind } = parts;
    // A pinned source has the same spelling as the unpinned source.
    const url = kind === 'git' && parts.precise ? this.intern({ ...parts, precise: null }).url : parts.url;
    if (kind === 'git' || kind === 'registry') checkAuthority(url);
    const canonicalUrl = canonicalizeUrl(kind === 'sparse-registry' ? SPARSE + url : url);
    const reference = kind === 'git' ? (parts.reference ?? DEFAULT_BRANCH) : null;
    const precise = kind === 'git' ? (parts.precise ?? null) : null;
    const unpinnedKey = keyOf(kind, canonicalUrl, reference);
    const key = precise === null ? unpinnedKey : `${unpinnedKey}\n${precise}`;
    let source = this.#byKey.get(key);
    if (source === undefined) {
      const registryName = isCratesIoUrl({ kind, url }) ? CRATES_IO_NAME : null;
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

  /** Marks the manifests on paths as read: all of them, or those that are read before the lock file. */
  markManifestsRead(): void {
    this.#place = 'later';
  }

  /** Decides, for a registry in a lock file, that messages show its URL. A name from manifests stays. */
  leaveUnnamed(source: SourceId): void {
    this.#undecided.delete(source);
  }

  /**
   * Returns true if names were decided after the manifests, but not by a lock file. A run that finds these registries
   * in a lock file may decide differently.
   */
  get decidedNamesLate(): boolean {
    return this.#decidedNamesLate;
  }

  /** Returns the source with the index `ix`. Throws `bug` if there is none. */
  at(ix: number): SourceId {
    const source = this.#sources[ix];
    if (source === undefined) throw new TsregError(`no source has the index ${ix}`, { code: 'bug' });
    return source;
  }

  /** Returns the path source of an absolute folder. */
  forPath(folder: string): SourceId {
    let source = this.#byPath.get(folder);
    if (source === undefined) {
      source = this.intern({ kind: 'path', url: pathToUrl(folder) });
      this.#byPath.set(folder, source);
    }
    return source;
  }

  /**
   * Returns the registry of an index URL: sparse if it starts with `sparse+`, else git. For `registryName` see
   * `SourceParts`.
   */
  forRegistryIndex(indexUrl: string, registryName?: string | null): SourceId {
    const url = parseUrl(indexUrl);
    return url.startsWith(SPARSE)
      ? this.intern({ kind: 'sparse-registry', url: url.slice(SPARSE.length), registryName })
      : this.intern({ kind: 'registry', url, registryName });
  }

  /** Returns the registry of an index URL, with the name that a `[source]` table of the configuration gives it. */
  forConfiguredSource(indexUrl: string, name: string): SourceId {
    const source = this.forRegistryIndex(indexUrl);
    this.#decideName(source, name, 'source-config');
    return source;
  }

  /** Returns a git source that follows `reference`, pinned to the commit `precise` if that is not null. */
  forGit(url: string, reference: GitReference, precise: string | null = null): SourceId {
    return this.intern({ kind: 'git', url: parseUrl(url), reference, precise });
  }

  /** Returns the directory source (vendored packages) of an absolute folder. */
  forDirectory(folder: string): SourceId {
    return this.intern({ kind: 'directory', url: pathToUrl(folder) });
  }

  /** Returns the local registry of an absolute folder. */
  forLocalRegistry(folder: string): SourceId {
    return this.intern({ kind: 'local-registry', url: pathToUrl(folder) });
  }

  /** Returns crates.io as in IDs and lock files: the source of its git index, whatever the protocol. */
  cratesIo(): SourceId {
    return (this.#cratesIo ??= this.intern({ kind: 'registry', url: CRATES_IO_INDEX }));
  }

  /** Returns the source of crates.io's sparse index, which provides its packages unless configured otherwise. */
  cratesIoSparse(): SourceId {
    return this.intern({ kind: 'sparse-registry', url: CRATES_IO_SPARSE_INDEX });
  }

  /** Returns `source` pinned to a commit, or unpinned if `precise` is null. A source other than git stays as it is. */
  withPrecise(source: SourceId, precise: string | null): SourceId {
    return source.kind === 'git' && source.precise !== precise ? this.intern({ ...source, precise }) : source;
  }

  /** Decides the name of a registry, unless it has been decided. */
  #decideName(source: MutableSource, name: string | null, place: NamingPlace = this.#place): void {
    if (!this.#undecided.delete(source)) return;
    source.registryName = name;
    source.namedIn = place;
    this.#decidedNamesLate ||= this.#place === 'later';
  }
}

function keyOf(kind: SourceKind, canonicalUrl: string, reference: GitReference | null): string {
  if (reference === null || reference.kind === 'default') return `${kind} ${canonicalUrl}`;
  return `${kind} ${canonicalUrl} ${reference.kind}=${reference.name}`;
}
