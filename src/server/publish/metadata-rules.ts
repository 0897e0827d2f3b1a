/** What a registry demands of what is published. */

/** Which rules count. */
export interface MetadataRules {
  /** True for those of crates.io; else only name and version must be there, and the rest must have a right form. */
  readonly strict: boolean;
  /** True for URLs of the index that is published to. */
  readonly isOwnIndex: (url: string) => boolean;
  /** True for URLs of indexes that dependencies may come from beside the own one. */
  readonly allowsRegistry: (url: string) => boolean;
}
