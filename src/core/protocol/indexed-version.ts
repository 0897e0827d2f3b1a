/** A version of a crate as plain data, for callers of the library. */
import { formatIndexUrl } from '../package-id/source-url.ts';
import { formatFeatureValue } from '../summary/feature-value.ts';
import type { Dependency, DependencyKind, Summary } from '../summary/summary.ts';

/** A version of a crate, as the index of its registry describes it. */
export interface IndexedVersion {
  readonly name: string;
  readonly version: string;
  readonly yanked: boolean;
  /** SHA-256 of the `.crate`, in hexadecimal. */
  readonly checksum: string | null;
  /** `rust-version` of the package; null if it declares none. */
  readonly rustVersion: string | null;
  /** The native library that the package links to; null for none. */
  readonly links: string | null;
  /** The time of publication in UTC, such as `2024-05-31T12:00:00Z`; null if the index does not contain it. */
  readonly publishedAt: string | null;
  /** The features and what each enables. Includes the implicit ones of optional dependencies. */
  readonly features: { readonly [feature: string]: readonly string[] };
  readonly dependencies: readonly IndexedDependency[];
}

/** A dependency of a version of a crate. */
export interface IndexedDependency {
  /** The name of the crate. */
  readonly name: string;
  /** The name in the manifest, if it is another one; otherwise null. */
  readonly rename: string | null;
  /** The version requirement, such as `^1.2`. */
  readonly req: string;
  readonly kind: DependencyKind;
  readonly optional: boolean;
  readonly defaultFeatures: boolean;
  readonly features: readonly string[];
  /** A target triple or a `cfg` expression; null for every platform. */
  readonly target: string | null;
  /** The index URL of the registry; null if it is the registry of the crate itself. */
  readonly registry: string | null;
}

/** Returns a summary from an index as plain data. */
export function indexedVersionOf(summary: Summary): IndexedVersion {
  const { id, yanked, checksum, rustVersion, links, publishedAtMs } = summary;
  return {
    name: id.name,
    version: id.version.text,
    yanked,
    checksum,
    rustVersion,
    links,
    publishedAt: publishedAtMs === null ? null : formatTime(publishedAtMs),
    features: Object.fromEntries(
      Array.from(summary.features, ([name, values]) => [name, values.map(formatFeatureValue)]),
    ),
    dependencies: summary.dependencies.map((dependency) => indexedDependencyOf(dependency, summary)),
  };
}

function indexedDependencyOf(dependency: Dependency, { id }: Summary): IndexedDependency {
  const { source } = dependency;
  const registry = source.unpinnedKey === id.source.unpinnedKey ? null : formatIndexUrl(source);
  return { ...dependencyFields(dependency), registry };
}

/** Returns a dependency as plain data, without its source. */
export function dependencyFields(dependency: Dependency): Omit<IndexedDependency, 'registry'> {
  const { name, nameInToml, req, kind, optional, defaultFeatures, features, platform } = dependency;
  return {
    name,
    rename: nameInToml === name ? null : nameInToml,
    req: req.text,
    kind,
    optional,
    defaultFeatures,
    features,
    target: platform?.text ?? null,
  };
}

/** Returns a time in the form of `pubtime` in an index: without fractions of a second. */
function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
