/** How often a registry lets one user publish. */

/** What a package is to the registry. */
export type PublishKind = 'new-crate' | 'new-version';

/** So many at once, and then one each time that so many seconds have gone by. */
export interface PublishLimit {
  readonly burst: number;
  readonly every_seconds: number;
}

/** The limits of a registry. */
export type PublishLimits = Readonly<Record<PublishKind, PublishLimit>>;

/** Those of crates.io, as its operators publish them. */
export const CRATES_IO_LIMITS: PublishLimits = {
  'new-crate': { burst: 5, every_seconds: 600 },
  'new-version': { burst: 30, every_seconds: 60 },
};

/** How many seconds go by at least until the last of the packages is taken, if nothing was published for long before. */
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
