/** The packages to publish, before the registry is contacted. */
import type { LockContext } from '../../io/disk/file-lock.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { OpenedRegistry, OpenRegistryOptions } from '../shared/registry/open-registry.ts';
import type { CrateToPublish } from './upload.ts';
import type { RegistryChoice } from '../shared/registry/select-registry.ts';

/** The archives of a release. */
export interface PackedBatch {
  /** The packages to upload, in publish order. Each maps to those of its direct dependencies that are uploaded too. */
  readonly needs: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>;
  /** Packages that the registry already has. */
  readonly skipped: readonly CrateToPublish[];
}

/** How to make archives. */
export interface PackOptions {
  readonly registry: OpenedRegistry;
  /** The index entries of the packages to skip. */
  readonly alreadyPublished: ReadonlyMap<PackageManifest, Summary>;
  readonly isDryRun: boolean;
}

/** Packages to publish together. */
export interface Release {
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
  /** Makes the archives. Rejects if a package to skip differs from the published one. */
  packArchives(options: PackOptions): Promise<PackedBatch>;
}
