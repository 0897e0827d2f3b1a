/** Selects the dependencies for the platforms that `--filter-platform` names. Cargo Book: cargo metadata. */
import type { Config } from '../../../io/config/config.ts';
import type { Dependency } from '../../../core/summary/summary.ts';
import { flaggedTargets, type FlaggedTargetsOptions } from './flagged-targets.ts';
import { hostOfThisMachine } from '../version.ts';
import { checkTargetSettings } from './target-settings.ts';
import { isUsedOn } from './target-platform.ts';

/** A filter for dependencies. Without named platforms it accepts every dependency. */
export interface PlatformFilter {
  /** Returns true if `dependency` is used on at least one of the named platforms. */
  isRequested(dependency: Dependency): boolean;
  /** Returns true if `dependency` is used on this machine. */
  isUsedOnHost(dependency: Dependency): boolean;
  /**
   * Filters for the packages to download, one per named platform: true if a dependency is used on it, or on this
   * machine, where build scripts run. Without named platforms: a single filter that accepts everything.
   */
  readonly downloadFilters: readonly ((dependency: Dependency) => boolean)[];
}

const EVERYTHING: PlatformFilter = {
  isRequested: () => true,
  isUsedOnHost: () => true,
  downloadFilters: [() => true],
};

/** Returns the filter for `--filter-platform`. Throws if a target is not built into rustc, or if a setting is wrong. */
export async function platformFilter(
  triples: readonly string[],
  config: Config,
  options: FlaggedTargetsOptions,
): Promise<PlatformFilter> {
  if (triples.length === 0) {
    checkTargetSettings(config, { host: hostOfThisMachine, requested: [] }, options);
    return EVERYTHING;
  }
  const { targets, host } = await flaggedTargets(triples, config, options);
  const isUsedOnHost = (dependency: Dependency): boolean => host !== null && isUsedOn(dependency, host);
  return {
    isUsedOnHost,
    isRequested: (dependency) => targets.some((target) => isUsedOn(dependency, target)),
    downloadFilters: targets.map(
      (target) => (dependency) => isUsedOn(dependency, target) || isUsedOnHost(dependency),
    ),
  };
}
