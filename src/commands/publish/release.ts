/** A release: the packages that one run publishes, and how messages name them. Cargo Book: cargo publish. */
import { present } from '../../core/errors/assert.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import type { LockContext } from '../../io/disk/file-lock.ts';
import type { CommonPackagingOptions, SelectedPackage } from '../shared/packaging/package-crates.ts';
import type { OpenRegistryOptions } from '../shared/registry/open-registry.ts';
import type { RegistryChoice } from '../shared/registry/select-registry.ts';

/** Packages to publish together: of a workspace (`workspaceRelease`), or one archive (`fileRelease`). */
export interface Release {
  readonly content: ReleaseContent;
  readonly manifests: readonly PackageManifest[];
  /** Packages with `publish = false`. */
  readonly unpublishable: readonly PackageId[];
  /** The registry to publish to; null for crates.io. */
  readonly choice: RegistryChoice | null;
  readonly context: LockContext;
  /** Objects to reuse when the registry is opened. */
  readonly shared: NonNullable<OpenRegistryOptions['shared']>;
  /** Every package and its direct dependencies among them, in publish order. */
  readonly order: ReadonlyMap<PackageManifest, readonly PackageManifest[]>;
}

/** The packages to make archives of, or the archive that exists. */
export type ReleaseContent =
  | {
      readonly kind: 'packages';
      readonly packages: readonly SelectedPackage[];
      readonly packaging: CommonPackagingOptions;
    }
  | { readonly kind: 'archive'; readonly crate: CrateToPublish };

/** Anything that has a package id. */
export interface HasPackageId {
  readonly id: PackageId;
}

/** A package that is ready to send. */
export interface CrateToPublish extends HasPackageId {
  /** The package in status lines: `a v0.1.0 (/path)`. */
  readonly label: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Reads the whole archive. Throws if it has changed since `sha256` was computed. */
  archive(): Uint8Array;
  /** Returns the metadata to send with the archive to a registry. */
  metadata(registry: SourceId): PublishMetadata;
}

/** Returns only the name and the version of a package. */
export function nameAndVersion({ name, version }: PackageId): {
  readonly name: string;
  readonly version: string;
} {
  return { name, version: version.text };
}

/** Returns a package as `a v0.1.0`. */
export function shortName({ id }: HasPackageId): string {
  return `${id.name} v${id.version.text}`;
}

/** Returns the packages as `a v1, b v1, or c v1`, sorted. */
export function listNames(packages: Iterable<HasPackageId>, conjunction: 'and' | 'or'): string {
  const names = Array.from(packages, shortName).sort(compareBytes);
  if (names.length < 3) return names.join(` ${conjunction} `);
  const last = present(names.pop(), 'the last package');
  return `${names.join(', ')}, ${conjunction} ${last}`;
}
