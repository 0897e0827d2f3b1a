/** Records of downloads by day. `CrateRecords.addDownloads` adds to them. Days are those of `shared/days.ts`. */

/** The downloads of the last days. The rules of `Records` apply. */
export interface DailyDownloadRecords {
  /** Sums the downloads of a crate by day; no counts if the crate does not exist. */
  listDailyDownloads(crate: string, request: DailyDownloadRequest): Promise<DailyDownloads>;
  /**
   * Deletes some of the counts before `day`: few enough that other requests need not wait. Returns false after the
   * last.
   */
  deleteDailyDownloads(day: number): Promise<boolean>;
}

/** The wanted sums. */
export interface DailyDownloadRequest {
  /** The versions to sum separately. All others have one sum together. */
  readonly versionIds: readonly number[];
  readonly fromDay: number;
}

/** Downloads of a crate by day. */
export interface DailyDownloads {
  /** The day on which the registry began to count by day. */
  readonly sinceDay: number;
  /** Earlier days first. A day without downloads has no count. */
  readonly counts: readonly DailyCount[];
}

/** The downloads of a version on one day. */
export interface DailyCount {
  readonly day: number;
  /** null for all versions that were not requested. */
  readonly versionId: number | null;
  readonly downloads: number;
}
