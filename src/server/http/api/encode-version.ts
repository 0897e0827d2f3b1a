/** Versions and dependencies in responses, as on crates.io. */
import type { Version } from '../../store/values.ts';
import { encodeUser } from './encode-user.ts';

/** More than a version can have. A dependency's ID is this times the ID of its version, plus its position. */
const MAX_DEPENDENCIES = 10_000;

/** Returns a version for a response. `baseUrl` is that of the server. */
export function encodeVersion(version: Version, baseUrl: string): object {
  const { metadata } = version;
  const path = `/api/v1/crates/${version.crate}/${version.version}`;
  const publishedAt = new Date(version.publishedAtMs).toISOString();
  const { publisherId: id, publishedBy: login, publisherName: name } = version;
  return {
    id: version.id,
    crate: version.crate,
    num: version.version,
    dl_path: `${path}/download`,
    readme_path: `${path}/readme`,
    created_at: publishedAt,
    updated_at: publishedAt,
    downloads: version.downloads,
    features: Object.fromEntries(metadata.features),
    yanked: version.isYanked,
    yank_message: version.yankReason,
    lib_links: metadata.links,
    license: metadata.license ?? (metadata.licenseFile === null ? null : 'non-standard'),
    links: {
      dependencies: `${path}/dependencies`,
      version_downloads: `${path}/downloads`,
      authors: `${path}/authors`,
    },
    crate_size: version.size,
    published_by: encodeUser({ id, login, name }, baseUrl),
    audit_actions: [],
    checksum: version.checksum,
    rust_version: metadata.rustVersion,
    description: metadata.description,
    homepage: metadata.homepage,
    documentation: metadata.documentation,
    repository: metadata.repository,
  };
}

/** Returns the dependencies of a version for a response, in the order of its manifest. */
export function encodeDependencies({ id, metadata }: Version): readonly object[] {
  return metadata.dependencies.map((dependency, position) => ({
    id: id * MAX_DEPENDENCIES + position,
    version_id: id,
    crate_id: dependency.name,
    req: dependency.versionReq,
    optional: dependency.optional,
    default_features: dependency.defaultFeatures,
    features: dependency.features,
    target: dependency.target,
    kind: dependency.kind,
    downloads: 0,
  }));
}
