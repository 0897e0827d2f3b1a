/** The rules for which versions of the upstream this registry serves. */
import { GateRefusal } from '../shared/gate-refusal.ts';
import type { GateReason, GateSettings } from '../store/mirror-status.ts';
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

/** Decides about versions. All decisions depend only on the settings, the version and the time. */
export class UpstreamGates {
  readonly settings: GateSettings;
  readonly #blocked: CrateSelection;
  readonly #allowed: CrateSelection;

  /** Throws `usage` for an invalid name or version. */
  constructor(settings: GateSettings) {
    this.settings = settings;
    this.#blocked = new CrateSelection('block', settings.blocked);
    this.#allowed = new CrateSelection('allow', settings.allowed);
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

  /** Returns why a version is not served; null if it is. */
  reasonToRefuse(gated: GatedVersion, nowMs: number): GateReason | null {
    const { name, version, publishedAtMs, receivedAtMs } = gated;
    if (this.#allowed.has(name, version)) return null;
    if (this.#blocked.has(name, version)) return { kind: 'blocked' };
    const { minAgeMs } = this.settings;
    if (minAgeMs === null || publishedAtMs === null) return null;
    const untilMs = Math.min(publishedAtMs, receivedAtMs) + minAgeMs;
    return nowMs < untilMs ? { kind: 'too-young', untilMs } : null;
  }

  /** Throws `GateRefusal` if a version is not served. */
  check(gated: GatedVersion, nowMs: number): void {
    const reason = this.reasonToRefuse(gated, nowMs);
    if (reason === null) return;
    const what = `version \`${gated.version}\` of crate \`${gated.name}\``;
    if (reason.kind === 'blocked') throw new GateRefusal(`this registry blocks ${what}`);
    const time = new Date(reason.untilMs).toISOString().slice(0, 16).replace('T', ' ');
    throw new GateRefusal(`this registry serves ${what} only from ${time} UTC on, because it is too new`);
  }
}
