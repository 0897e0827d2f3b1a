/** Records for browsing: filtered lists of crates, categories, and data about several crates at once. */
import type { CrateOrder } from './crate-records.ts';
import type { Crate, Page, PageRequest } from './values.ts';

/** Lists for people who browse a registry. The rules of `Records` apply. */
export interface BrowseRecords {
  /**
   * Lists crates that meet all conditions; all crates without a condition. Considers a limited number of crates: if
   * very many could match, those that are not among the most downloaded may be missing.
   */
  listCrates(filter: CrateFilter, request: ListRequest): Promise<Page<Crate>>;
  /**
   * Counts crates by category, each crate also in the parents of its categories. Considers a limited number of crates,
   * the most downloaded ones. Sorted by name.
   */
  countCategories(): Promise<readonly TagCount[]>;
  /** Counts crates by keyword in lower case, as `countCategories` does. */
  countKeywords(): Promise<readonly TagCount[]>;
  /** Returns at most `limit` names of crates that differ from `name` by a few characters, the most similar first. */
  findSimilarNames(name: string, limit: number): Promise<readonly string[]>;
  /**
   * Returns the versions of crates by canonical name, without crates that do not exist. Reads a limited number of
   * versions: of crates after that limit, `versions` is null.
   */
  listVersionsOf(crates: readonly string[]): Promise<ReadonlyMap<string, CrateVersions>>;
}

/** Conditions that a crate must meet. Empty lists and an empty query are met by every crate. */
export interface CrateFilter {
  /** Words as in `searchCrates`. */
  readonly query: string;
  /** Keywords of the crate, in lower case. */
  readonly keywords: readonly string[];
  /** Slugs of categories of the highest version, or of their parents. */
  readonly categories: readonly string[];
  /** Logins of owners, which may be teams. */
  readonly owners: readonly string[];
  /** SPDX identifiers in the license of the highest version, in any case. */
  readonly licenses: readonly string[];
  /**
   * Rust versions with which the highest version builds, because it requires none or a lower one. Each has one to three
   * numbers.
   */
  readonly rustVersions: readonly string[];
  /** Features of the highest version, also those that optional dependencies imply. */
  readonly features: readonly string[];
}

/** The filter that every crate meets. */
export const NO_CONDITIONS: CrateFilter = {
  query: '',
  keywords: [],
  categories: [],
  owners: [],
  licenses: [],
  rustVersions: [],
  features: [],
};

/** A keyword or the slug of a category, and facts about the crates that have it. */
export interface TagCount {
  readonly name: string;
  readonly crates: number;
  /** The time at which the first of these crates was created. */
  readonly createdAtMs: number;
}

/** The requested part of a list and its order. */
export interface ListRequest extends PageRequest {
  readonly order: CrateOrder;
  /** The network of the client. Lists that take long are computed for clients in turn; absent for no turns. */
  readonly client?: string;
}

/** A crate with the texts of all its versions. */
export interface CrateVersions {
  /** The name as first published. */
  readonly name: string;
  /** In no order; null if they were not read. */
  readonly versions: readonly VersionState[] | null;
}

/** The text of a version, and whether new projects can select it. */
export interface VersionState {
  readonly version: string;
  readonly isYanked: boolean;
}
