/** The rules for which versions of the upstream this registry serves. */
import { withoutBuild } from '../shared/version-text.ts';
import type { Advisories } from '../store/advisories.ts';
import type { GateReason, GateSettings } from '../store/mirror-status.ts';
import type { CacheReader } from '../store/mirrored-crates.ts';
import type { UpstreamRuleKind, UpstreamRuleRecords } from '../store/upstream-rule-records.ts';
import type { DownloadableVersion } from '../store/values.ts';
import { CrateSelection, type SelectedVersions, withVersions } from './crate-selector.ts';

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
  /** The rules of admins. */
  readonly records: Pick<UpstreamRuleRecords, 'findUpstreamRules'>;
  /** null for none: then no version is refused because of one. */
  readonly advisories: Advisories | null;
  /** null if every archive can be served. */
  readonly archives: ArchiveGate | null;
}

/** The rules for all crates: those of flags, and those that admins have stored. */
export class UpstreamGates {
  readonly settings: GateSettings;
  readonly #blocked: CrateSelection;
  readonly #allowed: CrateSelection;
  readonly #services: GateServices;

  /** Throws `usage` for an invalid name or version. */
  constructor(settings: GateSettings, services: GateServices) {
    this.settings = settings;
    this.#blocked = new CrateSelection('block', settings.blocked);
    this.#allowed = new CrateSelection('allow', settings.allowed);
    this.#services = services;
  }

  /** Reads the rules for a crate as they are now: an admin may have changed them on another server. */
  async of(name: string): Promise<CrateGates> {
    const { records, advisories, archives } = this.#services;
    const rules = await records.findUpstreamRules(name);
    const storedVersions = (wanted: UpstreamRuleKind): readonly (string | null)[] =>
      rules.filter(({ kind }) => kind === wanted).map(({ version }) => version);
    const { minAgeMs, blocksAdvisories } = this.settings;
    return new CrateGates({
      minAgeMs,
      blocked: withVersions(this.#blocked.versionsOf(name), storedVersions('block')),
      allowed: withVersions(this.#allowed.versionsOf(name), storedVersions('allow')),
      advisories: blocksAdvisories ? advisories : null,
      archives,
      key: rules.map(({ kind, version }) => `${kind} ${version ?? '*'}`).join(','),
    });
  }

  /** Aborts reads in progress. */
  close(): void {
    this.#services.archives?.close();
  }
}

/** The rules for one crate. */
interface CrateRules {
  readonly minAgeMs: number | null;
  readonly blocked: SelectedVersions;
  /** Takes precedence over all other rules. */
  readonly allowed: SelectedVersions;
  readonly advisories: Advisories | null;
  readonly archives: ArchiveGate | null;
  readonly key: string;
}

/** Decides about the versions of one crate, by the rules at one moment. */
export class CrateGates {
  readonly #rules: CrateRules;

  constructor(rules: CrateRules) {
    this.#rules = rules;
  }

  /** Equal if the rules of admins for the crate are equal. */
  get key(): string {
    return this.#rules.key;
  }

  /** Returns true if no version of the crate can be served, so that the upstream need not be asked. */
  get refusesAll(): boolean {
    const { blocked, allowed } = this.#rules;
    return blocked === 'all' && allowed !== 'all' && allowed.size === 0;
  }

  /** Returns true if a version, or all for null, is served whatever the other rules say. */
  allows(version: string | null): boolean {
    const { allowed } = this.#rules;
    return version === null ? allowed === 'all' : hasVersion(allowed, version);
  }

  /** Returns true if a version, or all for null, is blocked, and not allowed. */
  blocks(version: string | null): boolean {
    if (this.allows(version)) return false;
    const { blocked } = this.#rules;
    return version === null ? blocked === 'all' : hasVersion(blocked, version);
  }

  /** Returns false if all lines of an index file, received at `receivedAtMs`, can surely be served. */
  mayRefuse(receivedAtMs: number, nowMs: number): boolean {
    if (this.allows(null)) return false;
    const { minAgeMs, blocked } = this.#rules;
    return blocked === 'all' || blocked.size > 0 || (minAgeMs !== null && nowMs < receivedAtMs + minAgeMs);
  }

  /** Returns why clients must not select a version; null if they may. Its download is refused too. */
  reasonToYank(gated: GatedVersion, nowMs: number): YankReason | null {
    const { version, publishedAtMs, receivedAtMs } = gated;
    const { minAgeMs, blocked } = this.#rules;
    if (this.allows(version)) return null;
    if (hasVersion(blocked, version)) return { kind: 'blocked' };
    if (minAgeMs === null || publishedAtMs === null) return null;
    const untilMs = Math.min(publishedAtMs, receivedAtMs) + minAgeMs;
    return nowMs < untilMs ? { kind: 'too-young', untilMs } : null;
  }

  /** Returns why the download of a version is refused, whatever its archive contains; null if it is not. */
  reasonToRefuse(gated: GatedVersion, nowMs: number): GateReason | null {
    const reason = this.reasonToYank(gated, nowMs);
    const { name, version } = gated;
    if (reason !== null || this.allows(version)) return reason;
    const advisories = this.#rules.advisories?.of(name, version) ?? [];
    const advisory = advisories.find(({ kind }) => kind === 'vulnerability');
    return advisory === undefined ? null : { kind: 'advisory', advisory };
  }

  /** Returns why the download of a version is refused; null if no reason is known without reading its archive. */
  knownReason(gated: GatedVersion & { readonly checksum: string }, nowMs: number): GateReason | null {
    const reason = this.reasonToRefuse(gated, nowMs);
    if (reason !== null || this.allows(gated.version)) return reason;
    return this.#rules.archives?.knownReason(gated) ?? null;
  }

  /** Returns why the archive of a version is not served; null if it is. Throws as `ArchiveGate` does. */
  async reasonToRefuseArchive(
    version: DownloadableVersion,
    reader: CacheReader | null,
  ): Promise<GateReason | null> {
    const { archives } = this.#rules;
    if (archives === null || this.allows(version.version)) return null;
    return archives.reasonToRefuse(version, reader);
  }
}

function hasVersion(versions: SelectedVersions, version: string): boolean {
  return versions === 'all' || versions.has(withoutBuild(version));
}
