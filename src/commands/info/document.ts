/** The details of a package as JSON. */
import type { PackageEntry } from '../../core/document/document.ts';
import type { FeatureInfo } from './features.ts';
import type { Relation } from './workspace.ts';
import type { RegistryName } from '../shared/registry/registry-document.ts';

/** The document of `info --json`. */
export interface InfoDocument {
  /** Version of this format. */
  readonly version: 1;
  /** The package, in the form of `metadata`. */
  readonly package: PackageEntry;
  /** The registry that it is from; null for a folder or a git repository. */
  readonly registry: RegistryName | null;
  /** Its relation to the workspace of the working folder; null if it was found in a registry. */
  readonly relation: Relation | null;
  /** Those enabled by default first, then by name; implicit features included. */
  readonly features: readonly FeatureInfo[];
  /** The versions in its source that are not yanked, newest first. */
  readonly versions: readonly VersionEntry[];
}

/** A version of a package. */
export interface VersionEntry {
  readonly version: string;
  readonly rustVersion: string | null;
}
