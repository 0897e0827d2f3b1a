/** What is known of a package, for programs. */
import type { PackageEntry } from '../../metadata/document.ts';
import type { FeatureInfo } from './info-features.ts';
import type { Relation } from './info-workspace.ts';
import type { RegistryName } from '../registry/registry-document.ts';

/** The document of `info --json`. */
export interface InfoDocument {
  /** Of this form. */
  readonly version: 1;
  /** The package, as the document of `metadata` has packages. */
  readonly package: PackageEntry;
  /** Where it comes from; null if that is a folder or a git repository. */
  readonly registry: RegistryName | null;
  /** What it is to the workspace of the working folder; null for a package that was looked up in a registry. */
  readonly relation: Relation | null;
  /** Features in use by default first, sorted by name; implicit ones included. */
  readonly features: readonly FeatureInfo[];
  /** The versions that its source has, newest first; those that are yanked are left out. */
  readonly versions: readonly VersionEntry[];
}

/** A version of a package. */
export interface VersionEntry {
  readonly version: string;
  readonly rust_version: string | null;
}
