/** The index line of a published package. Cargo Book: Registry Index, JSON schema. */
import { encodeMap } from './encode-map.ts';
import { INDEX_VERSION } from './index-line.ts';
import type { PublishedDependency, PublishMetadata } from './publish-metadata.ts';

const NOT_YANKED = '"yanked":false';

/** Content of a line that is not in the publish request. */
export interface PublishedLineOptions {
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
  /** In UTC, without fractions of a second: `2021-01-02T03:04:05Z`. */
  readonly publishedAt: string;
}

/**
 * Returns the line of a package, not yanked and without line break. Features that old versions of cargo cannot read are
 * in `features2`.
 */
export function encodePublishedLine(metadata: PublishMetadata, options: PublishedLineOptions): string {
  const { old, recent } = splitFeatures(metadata.features);
  const parts = [
    `"name":${JSON.stringify(metadata.name)}`,
    `"vers":${JSON.stringify(metadata.version)}`,
    `"deps":${JSON.stringify(metadata.dependencies.map(encodeDependency))}`,
    `"cksum":"${options.checksum}"`,
    `"features":${encodeMap(old)}`,
    ...(recent.length === 0 ? [] : [`"features2":${encodeMap(recent)}`]),
    NOT_YANKED,
    ...(metadata.links === null ? [] : [`"links":${JSON.stringify(metadata.links)}`]),
    ...(metadata.rustVersion === null ? [] : [`"rust_version":${JSON.stringify(metadata.rustVersion)}`]),
    `"pubtime":"${options.publishedAt}"`,
    `"v":${recent.length === 0 ? 1 : INDEX_VERSION}`,
  ];
  return `{${parts.join(',')}}`;
}

/** Returns a line of `encodePublishedLine` with the version marked as yanked. */
export function yankedLine(line: string): string {
  // This text occurs nowhere else: quotes in strings are escaped, and features are lists.
  return line.replace(NOT_YANKED, '"yanked":true');
}

/** The name of a feature, and the values that it enables. */
type Feature = readonly [string, readonly string[]];

/**
 * Separates features that all versions of cargo can read (`old`) from those that need Rust 1.60 (`recent`). Cargo Book:
 * Registry Index, JSON schema, `features2`.
 */
function splitFeatures(features: PublishMetadata['features']): {
  readonly old: readonly Feature[];
  readonly recent: readonly Feature[];
} {
  const recent = new Set<string>();
  const isRecent = (value: string) => value.startsWith('dep:') || value.includes('?/') || recent.has(value);
  // A feature that enables one hidden from old versions of cargo must be hidden too. So this repeats until no more are
  // found.
  let previousSize: number;
  do {
    previousSize = recent.size;
    for (const [name, values] of features) if (values.some(isRecent)) recent.add(name);
  } while (recent.size > previousSize);
  return {
    old: Array.from(features).filter(([name]) => !recent.has(name)),
    recent: Array.from(features).filter(([name]) => recent.has(name)),
  };
}

function encodeDependency(dependency: PublishedDependency): Readonly<Record<string, unknown>> {
  const { explicitNameInToml } = dependency;
  return {
    name: explicitNameInToml ?? dependency.name,
    req: dependency.versionReq,
    features: dependency.features,
    optional: dependency.optional,
    default_features: dependency.defaultFeatures,
    target: dependency.target,
    kind: dependency.kind,
    registry: dependency.registry,
    ...(explicitNameInToml === null ? {} : { package: dependency.name }),
  };
}
