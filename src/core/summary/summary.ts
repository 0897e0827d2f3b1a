/** A package as the resolver sees it, read from a manifest or an index line. */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Platform } from '../platform/platform.ts';
import type { VersionReq } from '../version/requirement.ts';

/** The table that declares a dependency. */
export type DependencyKind = 'normal' | 'dev' | 'build';

/** One declared dependency. */
export interface Dependency {
  /** The package's real name. */
  readonly name: string;
  /** The key in the manifest; equals `name` unless renamed. Features use this name. */
  readonly nameInToml: string;
  /** True if `package = "..."` was written, even if it equals the key. */
  readonly renamed: boolean;
  readonly source: SourceId;
  /** The registry in `registry` or `registry-index`; null if neither was written. */
  readonly registry: SourceId | null;
  readonly req: VersionReq;
  readonly kind: DependencyKind;
  readonly optional: boolean;
  readonly defaultFeatures: boolean;
  /** As written, with duplicates. */
  readonly features: readonly string[];
  /** The platform that needs the dependency; null for every platform. */
  readonly platform: Platform | null;
}

/**
 * One value of a feature: another feature, an optional dependency (`dep:name`), or a feature of a dependency
 * (`name/feature`). If it is weak (`name?/feature`), it does not activate the dependency. `dep` is the name in the
 * manifest.
 */
export type FeatureValue =
  | { readonly kind: 'feature'; readonly feature: string }
  | { readonly kind: 'dep'; readonly dep: string }
  | { readonly kind: 'dep-feature'; readonly dep: string; readonly feature: string; readonly weak: boolean };

/** A package as the resolver sees it. */
export interface Summary {
  readonly id: PackageId;
  /** In manifest order, or in the order of the index line. */
  readonly dependencies: readonly Dependency[];
  /** Feature name to values, implicit `dep:` features included, sorted by name (bytewise). */
  readonly features: ReadonlyMap<string, readonly FeatureValue[]>;
  /** The native library that the package links to; null if none. */
  readonly links: string | null;
  /** `rust-version` as written; null if none. */
  readonly rustVersion: string | null;
  /** Hex SHA-256 of the `.crate`; null for path and git. */
  readonly checksum: string | null;
  readonly yanked: boolean;
  /** The publish time in milliseconds since 1970; null if the index does not contain it. */
  readonly publishedAtMs: number | null;
}
