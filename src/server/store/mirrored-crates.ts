/** Crates of the upstream in the cache, as pages show them. */
import type { GateReason } from './mirror-status.ts';
import type { DownloadableVersion } from './values.ts';

/** A crate of the upstream whose index file is cached. */
export interface MirroredCrate {
  /** In the spelling of its registry. */
  readonly name: string;
  /** When the upstream was last asked about it. */
  readonly checkedAtMs: number;
  /** Highest first; at least one. */
  readonly versions: readonly MirroredVersion[];
  /** The version to show first: the highest stable one that new projects can select, if there is one. */
  readonly shown: MirroredVersion;
}

/** A version in a cached index file. */
export interface MirroredVersion {
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
  readonly isYanked: boolean;
  /** null if the index does not state it. */
  readonly publishedAtMs: number | null;
  readonly rustVersion: string | null;
  /** Why this registry does not serve the version; null if it does. */
  readonly refusal: GateReason | null;
}

/** The cached archive of a version, or why there is none to show. */
export type CachedArchive =
  | { readonly kind: 'found'; readonly archive: DownloadableVersion }
  | { readonly kind: 'not-cached' }
  | { readonly kind: 'refused'; readonly reason: GateReason };

/** The reader of a page that may need the archive of a cached version. */
export interface CacheReader {
  /** Aborted when the reader goes away. */
  readonly signal: AbortSignal;
  /** The client, none of which delays the others. */
  readonly owner: string;
}

/** A crate of the upstream in a list. */
export interface ListedMirroredCrate {
  /** In lower case if `crate` is null. */
  readonly name: string;
  readonly checkedAtMs: number;
  /** null if the index files of the list are too large to be read at once. */
  readonly crate: MirroredCrate | null;
}

/** Returns true for a text that names can contain, so that a search for it finds cached crates by their names. */
export function isPartOfName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text);
}

/** The requested part of a list of cached crates, which is sorted by name in lower case. */
export interface MirrorListRequest {
  /** Beginning of the name, in lower case; empty for all. */
  readonly prefix: string;
  /** Part of the name, in lower case and with `-` or `_` as its separators; empty for all. */
  readonly part: string;
  /** Lists only names after this one. */
  readonly after: string;
  readonly limit: number;
}

/** A part of a list of cached crates. It may have fewer items than requested even if more follow. */
export interface MirrorList<T> {
  readonly items: readonly T[];
  /** `after` of the next part; null for the last one. */
  readonly next: string | null;
}
