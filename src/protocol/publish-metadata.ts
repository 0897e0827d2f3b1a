/** The JSON half of what is sent to publish a package. Cargo Book: Registry Web API, Publish. */
import type { DependencyKind } from '../summary/summary.ts';

/** A dependency as it is published. */
export interface PublishedDependency {
  /** The package's real name. */
  readonly name: string;
  readonly versionReq: string;
  readonly features: readonly string[];
  readonly optional: boolean;
  readonly defaultFeatures: boolean;
  /** `cfg(…)` or the name of a platform; null for every platform. */
  readonly target: string | null;
  readonly kind: DependencyKind;
  /** URL of the index that it is from; null for the registry that is published to. */
  readonly registry: string | null;
  /** The key that it stands under in the manifest, if that is not `name`. */
  readonly explicitNameInToml: string | null;
}

/** Everything that is sent beside the archive. What is missing is null, or empty. */
export interface PublishMetadata {
  readonly name: string;
  readonly version: string;
  /** In the order in which they are sent. */
  readonly dependencies: readonly PublishedDependency[];
  /** `[features]` as written, without those that optional dependencies imply. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  readonly authors: readonly string[];
  readonly description: string | null;
  readonly documentation: string | null;
  readonly homepage: string | null;
  /** The text of the readme. */
  readonly readme: string | null;
  /** Path of the readme in the archive. */
  readonly readmeFile: string | null;
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly license: string | null;
  /** Path of the licence in the archive. */
  readonly licenseFile: string | null;
  readonly repository: string | null;
  readonly badges: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly links: string | null;
  readonly rustVersion: string | null;
}
