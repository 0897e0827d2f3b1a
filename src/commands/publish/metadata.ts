/** The metadata that is sent with an archive. Cargo Book: Registry Web API, Publish. */
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { writtenBadges, writtenFeatures } from '../../core/manifest/written-tables.ts';
import { CRATES_IO_INDEX } from '../../core/package-id/crates-io.ts';
import { isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl } from '../../core/package-id/source-url.ts';
import type { PublishedDependency, PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import type { Dependency } from '../../core/summary/summary.ts';

/** Input besides the parsed manifest of an archive. */
export interface PublishMetadataOptions {
  /** Text of the manifest. */
  readonly text: string;
  /** Text of the readme; null if there is none. */
  readonly readme: string | null;
  /** The registry to publish to. */
  readonly registry: SourceId;
}

/** Returns the metadata of a package whose manifest was prepared for publishing. */
export function publishMetadata(
  manifest: PackageManifest,
  { text, readme, registry }: PublishMetadataOptions,
): PublishMetadata {
  const { id, dependencies } = manifest.summary;
  return {
    name: id.name,
    version: id.version.text,
    dependencies: dependencies.map((dependency) => publishedDependency(dependency, registry)),
    features: writtenFeatures(text),
    authors: manifest.authors,
    description: manifest.description,
    documentation: manifest.documentation,
    homepage: manifest.homepage,
    readme,
    readmeFile: manifest.readme,
    keywords: manifest.keywords,
    categories: manifest.categories,
    license: manifest.license,
    licenseFile: manifest.licenseFile,
    repository: manifest.repository,
    badges: writtenBadges(text),
    links: manifest.links,
    rustVersion: manifest.rustVersion,
  };
}

/** Returns a dependency as the web API describes it; `target` is the registry to publish to. */
function publishedDependency(dependency: Dependency, target: SourceId): PublishedDependency {
  const { name, nameInToml, registry, renamed } = dependency;
  return {
    name,
    versionReq: dependency.req.text,
    features: dependency.features,
    optional: dependency.optional,
    defaultFeatures: dependency.defaultFeatures,
    target: dependency.platform?.text ?? null,
    kind: dependency.kind,
    // No registry means crates.io in a manifest, but the registry to publish to in this metadata.
    registry: isSameRegistry(registry, target) ? null : indexUrl(registry),
    explicitNameInToml: renamed ? nameInToml : null,
  };
}

/** Returns true if `registry` of a dependency is the registry to publish to; null is crates.io. */
export function isSameRegistry(registry: SourceId | null, target: SourceId): boolean {
  if (registry === null || isCratesIo(registry)) return isCratesIo(target);
  return registry.unpinnedKey === target.unpinnedKey;
}

function indexUrl(registry: SourceId | null): string {
  return registry === null ? CRATES_IO_INDEX : formatIndexUrl(registry);
}
