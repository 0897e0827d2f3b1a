/** The state of an upstream and its cache. Counts are those of one process since its start. */
import type { Advisory } from './advisories.ts';

/** The state of the upstream; `'ok'` unless the last requests failed. */
export type UpstreamState = 'ok' | 'away' | 'offline';

/** The rules for the versions of the upstream that this registry serves. */
export interface GateSettings {
  /** Versions younger than this are not served; null for no minimum. */
  readonly minAgeMs: number | null;
  /** Crates and versions that are not served: `NAME` or `NAME@VERSION`. */
  readonly blocked: readonly string[];
  /** Crates and versions that are served whatever the other rules say. */
  readonly allowed: readonly string[];
  /** The licenses of which a version needs one, as its SPDX expression says; empty if all are allowed. */
  readonly allowedLicenses: readonly string[];
  /** Licenses that do not count for a version. */
  readonly deniedLicenses: readonly string[];
  /** Whether downloads of versions with known vulnerabilities are refused. */
  readonly blocksAdvisories: boolean;
}

/** The reason why a version is not served. `rule` is the flag that refuses the license, as on the command line. */
export type GateReason =
  | { readonly kind: 'blocked' }
  | { readonly kind: 'too-young'; readonly untilMs: number }
  | { readonly kind: 'advisory'; readonly advisory: Advisory }
  | { readonly kind: 'license'; readonly license: StatedLicense; readonly rule: string };

/** The license in a package: `license`, only `license-file`, or none. `unreadable`: the archive cannot be read. */
export type StatedLicense =
  | { readonly kind: 'expression'; readonly text: string }
  | { readonly kind: 'file' | 'none' | 'unreadable' };

/** The number of downloads that each kind of rule refused. */
export type GateCounts = Readonly<Record<GateReason['kind'], number>>;

/** The state of an upstream, for admins. */
export interface MirrorStatus {
  /** URL of its index. */
  readonly index: string;
  readonly state: UpstreamState;
  /** Maximum bytes of the cache; null for no limit. */
  readonly quotaBytes: number | null;
  /** Age after which a cached index file is checked again. */
  readonly refreshMs: number;
  readonly startedAtMs: number;
  readonly indexFiles: CacheCounts;
  readonly archives: CacheCounts;
  readonly requests: number;
  readonly failures: number;
  /** Files with wrong content. */
  readonly refusedFiles: number;
  /** Downloads that the gates refused. */
  readonly gatedDownloads: GateCounts;
  /** Time of the last response of the upstream; null for none. */
  readonly lastResponseAtMs: number | null;
  readonly lastFailure: UpstreamFailure | null;
  readonly gates: GateSettings;
}

/** How often a file was in the cache, and how often it had to be requested. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/** A failed request to the upstream. */
export interface UpstreamFailure {
  readonly atMs: number;
  /** The requested file, and why it failed. */
  readonly reason: string;
}
