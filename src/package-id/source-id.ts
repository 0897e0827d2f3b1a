/** Where packages come from, as an identity. Cargo Book: Registries, Specifying Dependencies. */
import { compareBytes } from '../files/compare-bytes.ts';
import { CRATES_IO_INDEX, CRATES_IO_NAME, CRATES_IO_SPARSE_INDEX } from './crates-io.ts';
import { urlToPath } from './url.ts';

/** Kinds of source, in the order in which cargo sorts them. */
export type SourceKind = 'path' | 'registry' | 'sparse-registry' | 'local-registry' | 'directory' | 'git';

/** Which commit of a repository a git source follows. */
export type GitReference =
  | { readonly kind: 'tag' | 'branch' | 'rev'; readonly name: string }
  | { readonly kind: 'default' };

/**
 * Where it is decided what a registry is called: in manifests on paths, where every run decides the same that reads the
 * same ones; in a `[source]` table of the configuration, whose name is none that `[registries]` has; or by what comes later.
 */
export type NamingPlace = 'manifests' | 'source-table' | 'later';

/** One source. Made only by a `SourceTable`, so two equal sources of a table are the same object. */
export interface SourceId {
  /** Dense index into the table that made it. */
  readonly ix: number;
  readonly kind: SourceKind;
  /** The URL as configured; without `sparse+`, `registry+`, `git+`, query of the reference and `#commit`. */
  readonly url: string;
  /** The URL by which sources are compared: no trailing slash, no `.git`, github.com folded; with `sparse+`. */
  readonly canonicalUrl: string;
  /** Only for git. */
  readonly reference: GitReference | null;
  /** Git: the 40-hex commit that a lock file pins; else null. */
  readonly precise: string | null;
  /**
   * What messages call this registry: a name that config knows (`alt`), `crates-io` for crates.io; null for its URL.
   * Filled in by the first that decides on it.
   */
  readonly registryName: string | null;
  /** Where `registryName` was decided on; null if that is still open, or needs no decision. */
  readonly namedIn: NamingPlace | null;
  /** Identity as text: equal exactly when two sources are the same object. */
  readonly key: string;
  /** As `key` without `precise`: equal where cargo takes two sources for the same, pinned or not. */
  readonly unpinnedKey: string;
}

const KIND_ORDER: Readonly<Record<SourceKind, number>> = {
  path: 0,
  registry: 1,
  'sparse-registry': 2,
  'local-registry': 3,
  directory: 4,
  git: 5,
};
const REFERENCE_ORDER: Readonly<Record<GitReference['kind'], number>> = {
  tag: 0,
  branch: 1,
  rev: 2,
  default: 3,
};

/** Order of sources: kind, git reference, canonical URL. The pinned commit does not count. */
export function compareSources(a: SourceId, b: SourceId): number {
  if (a === b) return 0;
  return compareSourceKinds(a, b) || compareBytes(a.canonicalUrl, b.canonicalUrl);
}

type KindAndReference = Pick<SourceId, 'kind' | 'reference'>;

/** Order of kinds of source; those of git by their references. */
export function compareSourceKinds(a: KindAndReference, b: KindAndReference): number {
  return (
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
    (a.reference === null || b.reference === null ? 0 : compareReferences(a.reference, b.reference))
  );
}

/** The name by which `[registries]` and `--registry` know a registry; null where messages alone have a name for it. */
export function configuredName({ registryName, namedIn }: SourceId): string | null {
  return namedIn === 'source-table' ? null : registryName;
}

/** True where cargo takes the two for the same source; the pinned commit does not count. */
export function isSameSource(a: SourceId, b: SourceId): boolean {
  return a === b || a.unpinnedKey === b.unpinnedKey;
}

/** True for crates.io, by either of its indexes. */
export function isCratesIo(source: SourceId): boolean {
  const { kind, url, registryName } = source;
  if (kind !== 'registry' && kind !== 'sparse-registry') return false;
  // No other registry can be called so.
  if (registryName === CRATES_IO_NAME) return true;
  return url === (kind === 'registry' ? CRATES_IO_INDEX : CRATES_IO_SPARSE_INDEX);
}

/** True for every kind of registry, local ones included. */
export function isRegistry(source: SourceId): boolean {
  return source.kind === 'registry' || source.kind === 'sparse-registry' || source.kind === 'local-registry';
}

/** The folder of a path source, local registry or directory source; null for the others. */
export function sourcePath(source: SourceId): string | null {
  const isLocal = source.kind === 'path' || source.kind === 'local-registry' || source.kind === 'directory';
  return isLocal ? urlToPath(source.url) : null;
}

function compareReferences(a: GitReference, b: GitReference): number {
  const order = REFERENCE_ORDER[a.kind] - REFERENCE_ORDER[b.kind];
  if (order !== 0 || a.kind === 'default' || b.kind === 'default') return order;
  return compareBytes(a.name, b.name);
}
