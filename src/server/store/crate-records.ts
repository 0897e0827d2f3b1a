/** Records of crates and versions. Cargo Book: Registry Index. */
import type {
  Crate,
  Dependent,
  DownloadableVersion,
  IndexFile,
  IndexState,
  Page,
  PageRequest,
  Version,
} from './values.ts';

/** The crates and versions of a registry: lookups, search and download counts. The rules of `Records` apply. */
export interface CrateRecords extends IndexFileRecords, CrateLookups, CrateDetailRecords {
  /**
   * Lists crates that depend on this one, with their highest version, most downloaded first. Of very many lists only
   * the first and estimates `total`.
   */
  listDependents(crate: string, request: DependentsRequest): Promise<Page<Dependent>>;
  /**
   * Finds crates that have all words of `query` in name, keywords or description, best first; all if it is empty. Of
   * very many finds and counts only the first; `total` may be an estimate.
   */
  searchCrates(query: string, request: SearchRequest): Promise<Page<Crate>>;
  /** Updates the ranking by use that searches apply. Call it every few minutes, from any process. */
  rankCrates(): Promise<void>;
  /** Adds to the download counts, and to those of the day of `atMs`. Ignores versions that do not exist. */
  addDownloads(counts: readonly DownloadCount[], atMs: number): Promise<void>;
  /** Returns a crate whose download count is not the sum of its versions; null if there is none. */
  findMiscounted(): Promise<string | null>;
}

/** The index files of a registry. */
export interface IndexFileRecords {
  /** Finds an index file by the exact name in lower case, the last part of its path. */
  findIndexFile(lowerCaseName: string): Promise<IndexFile | null>;
  /** Finds the same as `findIndexFile`, without reading the body. */
  findIndexState(lowerCaseName: string): Promise<IndexState | null>;
}

/** Lookups of crates and versions. */
export interface CrateLookups {
  findCrate(name: string): Promise<Crate | null>;
  /** Finds a version by its exact text. */
  findVersion(crate: string, version: string): Promise<Version | null>;
  /** Finds the same as `findVersion`, without reading what a download does not need. */
  findDownloadable(crate: string, version: string): Promise<DownloadableVersion | null>;
  /** Lists versions, highest first unless `order` is given; none if the crate does not exist. */
  listVersions(crate: string, request: VersionListRequest): Promise<Page<Version>>;
  /** Lists the last published versions of all crates, latest first, without yanked ones. */
  listNewVersions(limit: number): Promise<readonly Version[]>;
  findReadme(crate: string, version: string): Promise<string | null>;
  /** Lists the most recently changed crates, latest first. */
  listRecentCrates(limit: number): Promise<readonly Crate[]>;
  count(): Promise<RegistryCounts>;
  /** Yields every version, read in batches, for `verify` and `backup`. Versions of one crate are consecutive. */
  eachVersion(): AsyncIterable<StoredVersion>;
}

/** Lookups of several crates with their versions. */
export interface CrateDetailRecords {
  /** Describes crates as they are at one moment, in the order of `names`. Omits crates that do not exist. */
  describeCrates(names: readonly string[]): Promise<readonly CrateDetails[]>;
}

/** A crate, and facts about its versions. */
export interface CrateDetails {
  readonly crate: Crate;
  /** The version `crate.maxVersion`. */
  readonly shown: Version;
  readonly versionCount: number;
  /** The last published version that is not yanked; null if all are yanked. */
  readonly newestVersion: string | null;
  /** The highest version that is neither yanked nor a pre-release; null if there is none. */
  readonly maxStableVersion: string | null;
}

/** The requested part of a crate's versions and their order; highest first if `order` is absent. */
export interface VersionListRequest extends PageRequest {
  readonly order?: VersionOrder;
  /** Whether to leave out yanked versions; false if absent. */
  readonly isWithoutYanked?: boolean;
}

/** Orders of versions: highest first, or last published first. */
export type VersionOrder = 'number' | 'published';

/** The requested part of the dependents. */
export interface DependentsRequest extends PageRequest {
  /** Returns true for the requirements of wanted dependents. Absent for all dependents. */
  readonly accepts?: (versionReq: string) => boolean;
}

/** The requested part of the results and their order; best first if `order` is absent. */
export interface SearchRequest extends PageRequest {
  readonly order?: CrateOrder;
}

/** Orders of crates: by name, or with the most downloads, the latest change or the latest creation first. */
export type CrateOrder = 'name' | 'downloads' | 'updated' | 'created';

/** Totals of a registry. */
export interface RegistryCounts {
  readonly crates: number;
  readonly versions: number;
  readonly downloads: number;
  readonly users: number;
}

/** Downloads of one version since they were last added. */
export interface DownloadCount {
  readonly crate: string;
  readonly version: string;
  readonly count: number;
}

/** The part of a version that is needed to check its blob. */
export interface StoredVersion {
  readonly crate: string;
  readonly version: string;
  readonly checksum: string;
  readonly size: number;
  readonly blobKey: string;
}
