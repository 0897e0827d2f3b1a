/** The form in which the sample crates of a demo are written. */

/** A sample crate. All its releases have the same code. */
export interface SampleCrate {
  readonly name: string;
  readonly description: string;
  /** Login of the owner. */
  readonly owner: string;
  /** Login of another owner, which may be a team. */
  readonly coOwner?: string;
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  /** Dependencies on other sample crates. */
  readonly dependencies: readonly SampleDependency[];
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** The readme below its heading, which is the name. */
  readonly readme: string;
  /** The path of the Rust code. */
  readonly source: 'src/lib.rs' | 'src/main.rs';
  readonly code: string;
  /** Oldest first. */
  readonly releases: readonly SampleRelease[];
}

/** A dependency on another sample crate. */
export interface SampleDependency {
  readonly name: string;
  readonly versionReq: string;
  readonly kind?: 'normal' | 'dev';
  readonly optional?: boolean;
  readonly features?: readonly string[];
}

/** A version of a sample crate. */
export interface SampleRelease {
  readonly version: string;
  readonly daysAgo: number;
  readonly downloads: number;
  /** One sentence for `CHANGELOG.md`. */
  readonly change: string;
  /** Absent for a version that is not yanked. */
  readonly yanked?: { readonly daysAgo: number; readonly reason: string };
}
