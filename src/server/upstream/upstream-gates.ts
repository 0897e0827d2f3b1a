/** The rules for which versions of the upstream this registry serves. */
import type { Advisories } from '../store/advisories.ts';
import type { GateReason, GateSettings } from '../store/mirror-status.ts';
import type { CacheReader } from '../store/mirrored-crates.ts';
import type { DownloadableVersion } from '../store/values.ts';
import { CrateSelection } from './crate-selector.ts';

/** A version of the upstream, and what its age depends on. */
export interface GatedVersion {
  readonly name: string;
  readonly version: string;
  /** `pubtime` of the index line; null if the line has none: then the version is not too young. */
  readonly publishedAtMs: number | null;
  /** When this registry received the index file with the version. A later `pubtime` does not count. */
  readonly receivedAtMs: number;
}

/** Why a version is yanked in the index of this registry, whatever the upstream says. */
type YankReason = Extract<GateReason, { readonly kind: 'blocked' | 'too-young' }>;

/** Decides about the archives of versions, which the index does not describe completely. */
export interface ArchiveGate {
  /** Returns why a version is not served, if that is known without reading its archive; null otherwise. */
  knownReason(version: { readonly checksum: string }): GateReason | null;
  /**
   * Returns why a version is not served; null if it is. Pages name their `reader`, downloads pass null. Throws
   * `UpstreamProblem` if that cannot be determined now, and the reason of the reader's signal once that is aborted.
   */
  reasonToRefuse(version: DownloadableVersion, reader: CacheReader | null): Promise<GateReason | null>;
  /** Aborts reads in progress. */
  close(): void;
}

/** Services that decisions need besides the settings. */
export interface GateServices {
  /** null for none: then no version is refused because of one. */
  readonly advisories: Advisories | null;
  /** null if every archive can be served. */
  readonly archives: ArchiveGate | null;
}

/** Decides about versions. */
export class UpstreamGates {
  readonly settings: GateSettings;
  readonly #blocked: CrateSelection;
  readonly #allowed: CrateSelection;
  readonly #advisories: Advisories | null;
  readonly #archives: ArchiveGate | null;

  /** Throws `usage` for an invalid name or version. */
  constructor(settings: GateSettings, { advisories, archives }: GateServices) {
    this.settings = settings;
    this.#blocked = new CrateSelection('block', settings.blocked);
    this.#allowed = new CrateSelection('allow', settings.allowed);
    this.#advisories = settings.blocksAdvisories ? advisories : null;
    this.#archives = archives;
  }

  /** Returns true if no version of the crate can be served, so that the upstream need not be asked. */
  refusesCrate(name: string): boolean {
    return this.#blocked.partOf(name) === 'all' && this.#allowed.partOf(name) === 'none';
  }

  /** Returns false if all lines of an index file, received at `receivedAtMs`, can surely be served. */
  mayRefuse(name: string, receivedAtMs: number, nowMs: number): boolean {
    if (this.#allowed.partOf(name) === 'all') return false;
    const { minAgeMs } = this.settings;
    return this.#blocked.partOf(name) !== 'none' || (minAgeMs !== null && nowMs < receivedAtMs + minAgeMs);
  }

  /** Returns why clients must not select a version; null if they may. Its download is refused too. */
  reasonToYank(gated: GatedVersion, nowMs: number): YankReason | null {
    const { name, version, publishedAtMs, receivedAtMs } = gated;
    if (this.#allowed.has(name, version)) return null;
    if (this.#blocked.has(name, version)) return { kind: 'blocked' };
    const { minAgeMs } = this.settings;
    if (minAgeMs === null || publishedAtMs === null) return null;
    const untilMs = Math.min(publishedAtMs, receivedAtMs) + minAgeMs;
    return nowMs < untilMs ? { kind: 'too-young', untilMs } : null;
  }

  /** Returns why the download of a version is refused, whatever its archive contains; null if it is not. */
  reasonToRefuse(gated: GatedVersion, nowMs: number): GateReason | null {
    const reason = this.reasonToYank(gated, nowMs);
    const { name, version } = gated;
    if (reason !== null || this.#allowed.has(name, version)) return reason;
    const advisories = this.#advisories?.of(name, version) ?? [];
    const advisory = advisories.find(({ kind }) => kind === 'vulnerability');
    return advisory === undefined ? null : { kind: 'advisory', advisory };
  }

  /** Returns why the download of a version is refused; null if no reason is known without reading its archive. */
  knownReason(gated: GatedVersion & { readonly checksum: string }, nowMs: number): GateReason | null {
    const reason = this.reasonToRefuse(gated, nowMs);
    if (reason !== null || this.#allowed.has(gated.name, gated.version)) return reason;
    return this.#archives?.knownReason(gated) ?? null;
  }

  /** Returns why the archive of a version is not served; null if it is. Throws as `ArchiveGate` does. */
  async reasonToRefuseArchive(
    version: DownloadableVersion,
    reader: CacheReader | null,
  ): Promise<GateReason | null> {
    if (this.#archives === null || this.#allowed.has(version.crate, version.version)) return null;
    return this.#archives.reasonToRefuse(version, reader);
  }

  /** Aborts reads in progress. */
  close(): void {
    this.#archives?.close();
  }
}
