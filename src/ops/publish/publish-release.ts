/** What is to be published, before anything is known of the registry. */
import type { LockContext } from '../../disk/file-lock.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import type { PackageId } from '../../package-id/package-id.ts';
import type { Summary } from '../../summary/summary.ts';
import type { OpenedRegistry, OpenRegistryOptions } from '../registry/open-registry.ts';
import type { CrateToPublish } from './publish-upload.ts';
import type { RegistryChoice } from '../registry/select-registry.ts';

/** Packages with their archives. */
export interface MadeRelease {
  /** Every package that is to be sent, and which others of them it needs itself; in the order of publishing. */
  readonly needs: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>;
  /** Packages that the registry has already. */
  readonly skipped: readonly CrateToPublish[];
}

/** How archives are made. */
export interface MakeOptions {
  readonly registry: OpenedRegistry;
  /** What the index has of the version of a package that is to be skipped then. */
  readonly there: ReadonlyMap<PackageManifest, Summary>;
  readonly isDryRun: boolean;
}

/** Packages that are to be published together. */
export interface Release {
  readonly manifests: readonly PackageManifest[];
  /** Left out because of `publish = false`. */
  readonly unpublishable: readonly PackageId[];
  /** Where they go; null for crates.io. */
  readonly choice: RegistryChoice | null;
  readonly context: LockContext;
  /** What opening the registry shares with what was opened before. */
  readonly shared: NonNullable<OpenRegistryOptions['shared']>;
  /** Which packages need which others; in the order of publishing. */
  readonly order: ReadonlyMap<PackageManifest, readonly PackageManifest[]>;
  /** Makes the archives. Rejects where a package that is there is not the same. */
  make(options: MakeOptions): Promise<MadeRelease>;
}
