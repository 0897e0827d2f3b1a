/** The identity of package sources. Cargo Book: Registries, Specifying Dependencies. */
import { compareBytes } from '../files/compare-bytes.ts';
import { CRATES_IO_INDEX, CRATES_IO_NAME, CRATES_IO_SPARSE_INDEX } from './crates-io.ts';
import { urlToPath } from './url.ts';

/** The kinds of source, in cargo's sort order. */
export type SourceKind = 'path' | 'registry' | 'sparse-registry' | 'local-registry' | 'directory' | 'git';

/** The commit of a repository that a git source follows. */
export type GitReference =
  | { readonly kind: 'tag' | 'branch' | 'rev'; readonly name: string }
  | { readonly kind: 'default' };

/**
 * The place where a registry's name for messages was decided. `manifests`: manifests on paths, so every run that reads
 * the same manifests decides the same. `source-config`: a `[source]` table of the configuration; `[registries]` does
 * not have this name. `later`: anything after these manifests.
 */
export type NamingPlace = 'manifests' | 'source-config' | 'later';

/** One source. Only a `SourceTable` makes them, so equal sources of a table are the same object. */
export interface SourceId {
  /** Index into the sources of the table that made it, which has no gaps. */
  readonly ix: number;
  readonly kind: SourceKind;
  /** The URL as configured, without `sparse+`, `registry+`, `git+`, the query of the reference and `#commit`. */
  readonly url: string;
  /** The URL by which sources are compared: no trailing slash, no `.git`, lower case on github.com; with `sparse+`. */
  readonly canonicalUrl: string;
  /** null unless `kind` is git. */
  readonly reference: GitReference | null;
  /** Git: the 40-hex commit that a lock file pins; else null. */
  readonly precise: string | null;
  /**
   * The name of this registry in messages: a configured name (`alt`), or `crates-io` for crates.io; null for its URL.
   * The first decision sets it.
   */
  readonly registryName: string | null;
  /** The place where `registryName` was decided; null if it is not decided yet, or needs no decision. */
  readonly namedIn: NamingPlace | null;
  /** The identity as text: equal exactly if two sources are the same object. */
  readonly key: string;
  /** Like `key`, without `precise`: equal if cargo treats two sources as the same, pinned or not. */
  readonly unpinnedKey: string;
}

/** The order of cargo's `Ord` for `SourceKind`, which is not that of `SOURCE_KIND_INDEX`. */
const KIND_ORDER: Readonly<Record<SourceKind, number>> = {
  path: 0,
  registry: 1,
  'sparse-registry': 2,
  'local-registry': 3,
  directory: 4,
  git: 5,
};

/** The indexes of the kinds in cargo's enum `SourceKind`, by which it hashes them. */
export const SOURCE_KIND_INDEX: Readonly<Record<SourceKind, number>> = {
  git: 0,
  path: 1,
  registry: 2,
  'sparse-registry': 3,
  'local-registry': 4,
  directory: 5,
};

/** The indexes of the kinds in cargo's enum `GitReference`, by which it sorts and hashes them. */
export const REFERENCE_INDEX: Readonly<Record<GitReference['kind'], number>> = {
  tag: 0,
  branch: 1,
  rev: 2,
  default: 3,
};

/** Compares sources by kind, git reference and canonical URL. Ignores the pinned commit. */
export function compareSources(a: SourceId, b: SourceId): number {
  if (a === b) return 0;
  return compareSourceKinds(a, b) || compareBytes(a.canonicalUrl, b.canonicalUrl);
}

/** The properties that distinguish sources with the same URL. */
export type KindAndReference = Pick<SourceId, 'kind' | 'reference'>;

/** Compares kinds of source in cargo's order, and git sources by their references. */
export function compareSourceKinds(a: KindAndReference, b: KindAndReference): number {
  return (
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
    (a.reference === null || b.reference === null ? 0 : compareReferences(a.reference, b.reference))
  );
}

/**
 * Returns the name of a registry in `[registries]` and `--registry`; null if it has a name for messages only, or none.
 */
export function configuredName({ registryName, namedIn }: SourceId): string | null {
  return namedIn === 'source-config' ? null : registryName;
}

/** Returns true if cargo treats the two as the same source. Ignores the pinned commit. */
export function isSameSource(a: SourceId, b: SourceId): boolean {
  return a === b || a.unpinnedKey === b.unpinnedKey;
}

/**
 * Returns true for crates.io, by either of its indexes or by its name, which can have another URL in cargo's tests. A
 * registry that `[source.crates-io]` names is not crates.io, and must not get its token.
 */
export function isCratesIo(source: SourceId): boolean {
  if (!isRemoteRegistry(source.kind)) return false;
  return configuredName(source) === CRATES_IO_NAME || isCratesIoUrl(source);
}

/** Returns true if a registry has one of the URLs of crates.io. */
export function isCratesIoUrl({ kind, url }: Pick<SourceId, 'kind' | 'url'>): boolean {
  return (
    (kind === 'registry' && url === CRATES_IO_INDEX) ||
    (kind === 'sparse-registry' && url === CRATES_IO_SPARSE_INDEX)
  );
}

/** Returns true for registries with a URL, which can have a name. */
export function isRemoteRegistry(kind: SourceKind): boolean {
  return kind === 'registry' || kind === 'sparse-registry';
}

/** Returns true for every kind of registry, including local ones. */
export function isRegistry({ kind }: SourceId): boolean {
  return isRemoteRegistry(kind) || kind === 'local-registry';
}

/** Returns the folder of a path source, local registry or directory source; null for other sources. */
export function sourcePath(source: SourceId): string | null {
  const isLocal = source.kind === 'path' || source.kind === 'local-registry' || source.kind === 'directory';
  return isLocal ? urlToPath(source.url) : null;
}

function compareReferences(a: GitReference, b: GitReference): number {
  const order = REFERENCE_INDEX[a.kind] - REFERENCE_INDEX[b.kind];
  if (order !== 0 || a.kind === 'default' || b.kind === 'default') return order;
  return compareBytes(a.name, b.name);
}
