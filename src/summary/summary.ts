/** What the resolver knows of a package: what a manifest and an index line both become. */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Platform } from '../platform/platform.ts';
import type { VersionReq } from '../version/requirement.ts';

/** Which table a dependency stands in. */
export type DependencyKind = 'normal' | 'dev' | 'build';

/** One declared dependency. */
export interface Dependency {
  /** The package's real name. */
  readonly name: string;
  /** The key it stands under in the manifest; equals `name` unless renamed. Features refer to this. */
  readonly nameInToml: string;
  /** True where `package = "..."` was written, even if equal to the key. */
  readonly renamed: boolean;
  readonly source: SourceId;
  /** The registry written with `registry` or `registry-index`; null where none was written. */
  readonly registry: SourceId | null;
  readonly req: VersionReq;
  readonly kind: DependencyKind;
  readonly optional: boolean;
  readonly defaultFeatures: boolean;
  /** As written, duplicates kept. */
  readonly features: readonly string[];
  readonly platform: Platform | null;
}

/** One value of a feature. */
export type FeatureValue =
  | { readonly kind: 'feature'; readonly feature: string }
  | { readonly kind: 'dep'; readonly dep: string }
  | { readonly kind: 'dep-feature'; readonly dep: string; readonly feature: string; readonly weak: boolean };

/** A package as the resolver sees it. */
export interface Summary {
  readonly id: PackageId;
  /** In manifest order (`spec-metadata` 1.9), or the order of the index line; of a line without those for tests. */
  readonly dependencies: readonly Dependency[];
  /** Feature name to values, implicit `dep:` features included, sorted by name (bytewise). */
  readonly features: ReadonlyMap<string, readonly FeatureValue[]>;
  readonly links: string | null;
  /** `rust-version` as written; null if none. */
  readonly rustVersion: string | null;
  /** Hex SHA-256 of the `.crate`; null for path and git. */
  readonly checksum: string | null;
  readonly yanked: boolean;
  /** When the registry published it, in milliseconds since 1970; null where the index does not say it. */
  readonly publishedAtMs: number | null;
}
