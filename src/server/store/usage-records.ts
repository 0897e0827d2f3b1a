/** Figures for admins, which take longer than those of `CrateRecords.count`. */

/** Figures about the use of a registry. The rules of `Records` apply. */
export interface UsageRecords {
  /** Returns the total bytes of the `.crate` files of all versions, read in batches. */
  sumVersionSizes(): Promise<number>;
  /** Counts the tokens that are neither revoked nor expired at a time. */
  countUsableTokens(atMs: number): Promise<number>;
}
