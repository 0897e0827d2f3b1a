/** Crates, keywords and categories in responses, as on crates.io. */
import type { PublishMetadata } from '../../../core/protocol/publish-metadata.ts';
import type { CrateDetails } from '../../store/crate-records.ts';
import type { Crate } from '../../store/values.ts';
import { encodeCategory, encodeKeyword, timeOf } from './encode-tag.ts';

/** Parts of a crate that are only in the response about this crate; null for each that the response does not have. */
export interface CrateParts {
  /** The IDs of the versions in the response. */
  readonly versionIds: readonly number[] | null;
  readonly hasAllVersions: boolean;
  readonly keywords: readonly string[] | null;
  readonly categories: readonly string[] | null;
}

/** The parts of a crate in a list. */
export const NO_PARTS: CrateParts = {
  versionIds: null,
  hasAllVersions: false,
  keywords: null,
  categories: null,
};

/** The details of a crate in a response. */
export interface EncodedDetails
  extends Pick<CrateDetails, 'versionCount' | 'newestVersion' | 'maxStableVersion'> {
  readonly crate: Omit<Crate, 'id' | 'keywords'>;
  readonly shown: { readonly metadata: PublishedLinks };
}

/** The links of a version to other sites. */
type PublishedLinks = Pick<PublishMetadata, 'homepage' | 'documentation' | 'repository'>;

/** Returns a crate for a response. Constant values are fields of crates.io that this registry does not support. */
export function encodeCrate(details: EncodedDetails, parts: CrateParts): object {
  const { crate, maxStableVersion, newestVersion, shown } = details;
  const path = `/api/v1/crates/${crate.name}`;
  return {
    id: crate.name,
    name: crate.name,
    description: crate.description,
    homepage: shown.metadata.homepage,
    documentation: shown.metadata.documentation,
    repository: shown.metadata.repository,
    created_at: timeOf(crate.createdAtMs),
    updated_at: timeOf(crate.updatedAtMs),
    downloads: crate.downloads,
    recent_downloads: null,
    versions: parts.versionIds,
    keywords: parts.keywords,
    categories: parts.categories,
    badges: [],
    default_version: maxStableVersion ?? crate.maxVersion,
    num_versions: details.versionCount,
    yanked: newestVersion === null,
    max_version: crate.maxVersion,
    newest_version: newestVersion ?? crate.maxVersion,
    max_stable_version: maxStableVersion,
    exact_match: false,
    trustpub_only: crate.isTrustedOnly,
    links: {
      owners: `${path}/owners`,
      owner_user: `${path}/owner_user`,
      owner_team: `${path}/owner_team`,
      reverse_dependencies: `${path}/reverse_dependencies`,
      version_downloads: `${path}/downloads`,
      versions: parts.hasAllVersions ? null : `${path}/versions`,
    },
  };
}

/** Returns the keywords of a crate for a response. Their crates are not counted. */
export function encodeKeywords({ crate: { keywords, createdAtMs } }: CrateDetails): readonly object[] {
  return keywords.map((name) => encodeKeyword({ name, crates: 0, createdAtMs }));
}

/** Returns the categories of a crate for a response. Their crates are not counted. */
export function encodeCategories({ crate: { createdAtMs }, shown }: CrateDetails): readonly object[] {
  return shown.metadata.categories.map((name) => encodeCategory({ name, crates: 0, createdAtMs }));
}
