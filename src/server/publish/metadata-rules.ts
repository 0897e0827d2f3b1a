/** Rules for published metadata. */

/** The rules to apply. */
export interface MetadataRules {
  /** True for the rules of crates.io. Otherwise only name and version are required; the rest must be well-formed. */
  readonly strict: boolean;
  /** Returns true for index URLs of this registry. */
  readonly isOwnIndex: (url: string) => boolean;
  /** Returns true for index URLs of other registries that dependencies may come from. */
  readonly allowsRegistry: (url: string) => boolean;
}
