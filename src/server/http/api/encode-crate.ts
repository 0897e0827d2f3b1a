/** Crates, keywords and categories in responses, as on crates.io. */
import type { CrateDetails } from '../../store/crate-records.ts';

/** Parts of a crate that are only in the response about this crate. */
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

/** Returns a crate for a response. */
export function encodeCrate(details: CrateDetails, parts: CrateParts): object {
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

/** Returns the keywords of a crate for a response. */
export function encodeKeywords({ crate }: CrateDetails): readonly object[] {
  const createdAt = timeOf(crate.createdAtMs);
  return crate.keywords.map((keyword) => ({ id: keyword, keyword, created_at: createdAt, crates_cnt: 0 }));
}

/** Returns the categories of a crate for a response. */
export function encodeCategories({ crate, shown }: CrateDetails): readonly object[] {
  const createdAt = timeOf(crate.createdAtMs);
  return shown.metadata.categories.map((slug) => ({
    id: slug,
    slug,
    category: categoryName(slug),
    description: '',
    created_at: createdAt,
    crates_cnt: 0,
  }));
}

/** Returns the name of a category, such as `Procedural macro helpers`. */
function categoryName(slug: string): string {
  const words = slug.slice(slug.lastIndexOf(':') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
