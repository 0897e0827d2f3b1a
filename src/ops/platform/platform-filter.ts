/** Which declarations count for the platforms that `--filter-platform` names. Cargo Book: cargo metadata. */
import type { Config } from '../../config/config.ts';
import type { Dependency } from '../../summary/summary.ts';
import { flaggedTargets, type FlaggedTargetsOptions } from './flagged-targets.ts';
import { hostOfThisMachine } from '../version.ts';
import { checkTargetSettings } from './target-settings.ts';
import { isUsedOn } from './target-platform.ts';

/** Answers of a filter; without named platforms every declaration counts. */
export interface PlatformFilter {
  /** True for what is used on at least one of the named platforms. */
  isRequested(dependency: Dependency): boolean;
  /** True for what is used on this machine. */
  isUsedOnHost(dependency: Dependency): boolean;
  /**
   * For each named platform: true for what is used on it or on this machine, where build scripts run. One
   * filter that takes everything where no platform was named.
   */
  readonly downloads: readonly ((dependency: Dependency) => boolean)[];
}

const EVERYTHING: PlatformFilter = {
  isRequested: () => true,
  isUsedOnHost: () => true,
  downloads: [() => true],
};

/** Makes the filter of `--filter-platform`. Throws on targets that rustc does not have built in, and on wrong settings. */
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
    isRequested: (dependency) => targets.some((each) => isUsedOn(dependency, each)),
    downloads: targets.map((each) => (dependency) => isUsedOn(dependency, each) || isUsedOnHost(dependency)),
  };
}
