import type { PublishedDependency, PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { buildTable, mapTable } from '../../core/toml/build-table.ts';
import type { TomlTable } from '../../core/toml/value.ts';
import { writeToml } from '../../core/toml/write-toml.ts';

/** Values of a manifest that the metadata does not have. */
export interface ManifestOptions {
  readonly edition: string;
  /** URL of the index of the registry that receives the metadata. */
  readonly ownIndex: string;
}

/** The tables of dependencies. */
const TABLES = { normal: 'dependencies', dev: 'dev-dependencies', build: 'build-dependencies' } as const;

/** Returns a `Cargo.toml` with the same facts as the metadata, as `checkManifest` requires it of an archive. */
export function writeManifest(metadata: PublishMetadata, { edition, ownIndex }: ManifestOptions): string {
  const { name, version, features } = metadata;
  const document = buildTable({
    package: buildTable({
      name,
      version,
      edition,
      'rust-version': metadata.rustVersion,
      authors: metadata.authors.length === 0 ? null : metadata.authors,
      description: metadata.description,
      homepage: metadata.homepage,
      documentation: metadata.documentation,
      readme: metadata.readmeFile,
      keywords: metadata.keywords,
      categories: metadata.categories,
      license: metadata.license,
      'license-file': metadata.licenseFile,
      repository: metadata.repository,
      links: metadata.links,
    }),
    features: features.size === 0 ? null : mapTable(features, (values) => [...values]),
  });
  for (const dependency of metadata.dependencies) {
    const { kind, target, explicitNameInToml } = dependency;
    const parent = target === null ? document : subTable(subTable(document, 'target'), target);
    subTable(parent, TABLES[kind]).set(
      explicitNameInToml ?? dependency.name,
      dependencyTable(dependency, ownIndex),
    );
  }
  return writeToml(document);
}

function dependencyTable(dependency: PublishedDependency, ownIndex: string): TomlTable {
  const { name, features, optional, defaultFeatures, explicitNameInToml } = dependency;
  return buildTable({
    version: dependency.versionReq,
    'registry-index': dependency.registry ?? ownIndex,
    package: explicitNameInToml === null ? null : name,
    features: features.length === 0 ? null : features,
    optional: optional ? true : null,
    'default-features': defaultFeatures ? null : false,
  });
}

/** Returns the table `key` of a table, which it adds if it is missing. */
function subTable(table: TomlTable, key: string): TomlTable {
  const existing = table.get(key);
  if (existing instanceof Map) return existing;
  const added: TomlTable = new Map();
  table.set(key, added);
  return added;
}
