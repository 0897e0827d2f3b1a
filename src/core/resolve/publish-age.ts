/** Versions published too recently to be chosen. Cargo Book: Configuration, `registry.global-min-publish-age`. */
import type { SourceId } from '../package-id/source-id.ts';
import type { Summary } from '../summary/summary.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The minimum age of a version. */
export interface MinimumAge {
  readonly ms: number;
  /** As configured: `7 days`. */
  readonly text: string;
}

/** The configured minimum ages. `off` is the setting `0`. */
export interface PublishAgeSettings {
  /** Returns the minimum for packages of `source`; null if none is configured. */
  readonly minimumOf: (source: SourceId) => MinimumAge | 'off' | null;
  /** The minimum of all registries; null if there is none, or if a registry has its own setting. */
  readonly common: MinimumAge | null;
  /** False if versions that are too new are only reported and may be chosen. */
  readonly isEnforced: boolean;
}

/** A version that is too new. */
export interface TooNew {
  /** `36 hours ago`. */
  readonly published: string;
  /** `7 days`, as configured. */
  readonly minimum: string;
}

/** Finds versions that are too new at a given time, the start of the command. */
export class PublishAge {
  readonly #settings: PublishAgeSettings;
  readonly #nowMs: number;

  /** `nowMs`: milliseconds since 1970. */
  constructor(settings: PublishAgeSettings, nowMs: number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  /** Returns the age and minimum of a version that is too new; null for all others, and if its time is unknown. */
  tooNew({ id, publishedAtMs }: Summary): TooNew | null {
    if (publishedAtMs === null) return null;
    const minimum = this.#settings.minimumOf(id.source);
    if (minimum === null || minimum === 'off' || publishedAtMs <= this.#nowMs - minimum.ms) return null;
    return { published: describeAge(this.#nowMs - publishedAtMs), minimum: minimum.text };
  }

  /** The text after `as of` in the `Locking` line; null if versions that are too new may be chosen. */
  get asOf(): string | null {
    const { common, isEnforced } = this.#settings;
    if (!isEnforced) return null;
    return common === null ? 'min-publish-age' : describeAge(common.ms);
  }
}

/** Returns an age in the largest suitable unit: `36 hours ago`. */
function describeAge(ms: number): string {
  if (ms <= 0) return 'moments ago';
  if (ms < MINUTE_MS) return inUnits(ms, SECOND_MS, 'second');
  if (ms < HOUR_MS) return inUnits(ms, MINUTE_MS, 'minute');
  return ms < 2 * DAY_MS ? inUnits(ms, HOUR_MS, 'hour') : inUnits(ms, DAY_MS, 'day');
}

function inUnits(ms: number, unitMs: number, unit: string): string {
  const count = Math.round(ms / unitMs);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
