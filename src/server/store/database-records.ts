/** The database behind the records. */

/** The database itself: health, snapshots and access. The rules of `Records` apply. */
export interface DatabaseRecords extends ReadOnlySwitch {
  /** Throws if records cannot be read and written, for a health check. */
  ping(): Promise<void>;
  /** Returns a description of damaged records; null if there are none. */
  findDamage(): Promise<string | null>;
  schemaVersion(): Promise<number>;
  /** Writes all records as they are at one moment to a new file for `loadSnapshot`. */
  saveSnapshot(path: string): Promise<void>;
  /**
   * Replaces all records at once with a snapshot, which it migrates in place to the newest schema version. The records
   * then accept changes again.
   */
  loadSnapshot(path: string): Promise<void>;
}

/** Protects the records from changes. */
export interface ReadOnlySwitch {
  /**
   * Makes the records read-only for all processes, and waits for changes in progress. Later changes throw
   * `ReadOnlyRecords`. Reads and mere counts still work. Does nothing if the records are already read-only.
   */
  setReadOnly(): Promise<void>;
  /** Allows changes again. */
  setWritable(): Promise<void>;
  isReadOnly(): Promise<boolean>;
}
