/** Published advisories about crates. */

/** `vulnerability` is a security problem. The others inform. */
export type AdvisoryKind = 'vulnerability' | 'unsound' | 'unmaintained' | 'notice';

/** The severity of a vulnerability, as CVSS names it. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** The content of an advisory. Its texts are on one line, and may contain anything else. */
export interface Advisory {
  /** Such as `RUSTSEC-2021-0001` or `GHSA-xxxx-xxxx-xxxx`. */
  readonly id: string;
  readonly title: string;
  readonly kind: AdvisoryKind;
  /** null if the advisory does not state it. */
  readonly severity: Severity | null;
  /** Requirements on versions in which the problem is solved, such as `>=1.2.3`; none if there is no such version. */
  readonly patched: readonly string[];
  /** The page of the advisory, as its file states it: any text, so check it before you link to it. null for none. */
  readonly url: string | null;
}

/** The advisories that the operator has a copy of. */
export interface Advisories {
  readonly state: AdvisoryState;
  /** Names of crates with advisories, sorted, in the spelling of an advisory. */
  readonly crates: readonly string[];
  /** Returns the advisories about a version, vulnerabilities first. Ignores case, and treats `-` as `_`. */
  of(crate: string, version: string): readonly Advisory[];
}

/** The state of the copy, for admins. */
export interface AdvisoryState {
  readonly folder: string;
  /** Advisories that are not withdrawn, each once for each of its crates. */
  readonly advisories: number;
  /** Files that are not read, because they are damaged or too large. */
  readonly brokenFiles: number;
  /** Whether the folder has more files than are read. */
  readonly isTruncated: boolean;
  /** Time of the last successful read. */
  readonly readAtMs: number;
  /** Why the folder could not be read again at the last check; null if it could, or has not changed. */
  readonly failure: string | null;
}
