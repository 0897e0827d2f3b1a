/** Where packages come from, as an identity. Cargo Book: Registries, Specifying Dependencies. */

/** Kinds of source, in the order in which cargo sorts them. */
export type SourceKind = 'path' | 'registry' | 'sparse-registry' | 'local-registry' | 'directory' | 'git';

/** Which commit of a repository a git source follows. */
export type GitReference =
  | { readonly kind: 'tag' | 'branch' | 'rev'; readonly name: string }
  | { readonly kind: 'default' };

/** One source. Made only by `SourceTable.intern`, so two equal sources are the same object. */
export interface SourceId {
  /** Dense index into the table that made it. */
  readonly ix: number;
  readonly kind: SourceKind;
  /** The URL as configured; without `sparse+`, `registry+`, `git+`, query of the reference and `#commit`. */
  readonly url: string;
  /** The URL by which sources are compared: no trailing slash, no `.git`, github.com folded. */
  readonly canonicalUrl: string;
  /** Only for git. */
  readonly reference: GitReference | null;
  /** Git: the 40-hex commit that a lock file pins; else null. */
  readonly precise: string | null;
  /** The name under which config knows this registry (`alt`), `crates-io` for crates.io; null if unknown. */
  readonly registryName: string | null;
  /** Identity as text: equal exactly when two sources are equal. */
  readonly key: string;
}
