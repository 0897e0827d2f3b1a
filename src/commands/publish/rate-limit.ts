/** How often a registry lets one user publish. */

/** Whether the registry already has other versions of the crate. */
export type PublishKind = 'new-crate' | 'new-version';

/** Allows `burst` packages at once, then one more per `every_seconds`. */
export interface PublishLimit {
  readonly burst: number;
  readonly every_seconds: number;
}

/** The limits of a registry. */
export type PublishLimits = Readonly<Record<PublishKind, PublishLimit>>;

/** The limits of crates.io, as published by its operators. */
export const CRATES_IO_LIMITS: PublishLimits = {
  'new-crate': { burst: 5, every_seconds: 600 },
  'new-version': { burst: 30, every_seconds: 60 },
};

/** Returns the minimum number of seconds until the last package is published, assuming no recent uploads. */
export function secondsToPublish(kinds: readonly PublishKind[], limits: PublishLimits): number {
  const counts = new Map<PublishKind, number>();
  let seconds = 0;
  for (const kind of kinds) {
    const { burst, every_seconds } = limits[kind];
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    seconds = Math.max(seconds, (before + 1 - burst) * every_seconds);
  }
  return seconds;
}
