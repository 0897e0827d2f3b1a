/** Encoding of index lines. Cargo Book: Registry Index, JSON schema. */
import type { SourceId } from '../package-id/source-id.ts';
import { formatIndexUrl } from '../package-id/source-url.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { encodeMap } from './encode-map.ts';
import { INDEX_VERSION } from './index-line.ts';

/** The content of an index line. */
export interface IndexedPackage {
  /** The summary of the prepared manifest: no dependency has a path or a repository. */
  readonly summary: Summary;
  /** `[features]` as written, without those that optional dependencies imply. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
}

/** The registry that a line is for, and the registry of dependencies that name none. */
export interface IndexLineRegistries {
  readonly registry: SourceId;
  readonly cratesIo: SourceId;
}

/** Returns the line of a package, without line break: like cargo's, one JSON object with all possible fields. */
export function encodeIndexLine(
  { summary, features, checksum }: IndexedPackage,
  registries: IndexLineRegistries,
): string {
  const parts = [
    `"name":${JSON.stringify(summary.id.name)}`,
    `"vers":${JSON.stringify(summary.id.version.text)}`,
    `"deps":[${summary.dependencies.map((dependency) => encodeDependency(dependency, registries)).join(',')}]`,
    `"features":${encodeMap(features)}`,
    '"features2":null',
    `"cksum":${JSON.stringify(checksum)}`,
    '"yanked":null',
    `"links":${JSON.stringify(summary.links)}`,
    '"rust_version":null',
    '"pubtime":null',
    `"v":${INDEX_VERSION}`,
  ];
  return `{${parts.join(',')}}`;
}

function encodeDependency(dependency: Dependency, { registry, cratesIo }: IndexLineRegistries): string {
  const owner = dependency.registry ?? cratesIo;
  return JSON.stringify({
    name: dependency.nameInToml,
    req: dependency.req.text,
    features: dependency.features,
    optional: dependency.optional,
    default_features: dependency.defaultFeatures,
    target: dependency.platform?.text ?? null,
    kind: dependency.kind,
    registry: owner.unpinnedKey === registry.unpinnedKey ? null : formatIndexUrl(owner),
    package: dependency.renamed ? dependency.name : null,
    public: null,
    artifact: null,
    bindep_target: null,
    lib: false,
  });
}
