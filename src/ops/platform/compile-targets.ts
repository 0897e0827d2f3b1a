/** What is built for which targets. Cargo Book: cargo tree, `--target`; Configuration, `build.target`. */
import { configuredTargets } from '../../config/compiler-settings.ts';
import type { Config } from '../../config/config.ts';
import type { Dependency } from '../../summary/summary.ts';
import { flaggedTargets, type FlaggedTargetsOptions } from './flagged-targets.ts';
import { isUsedOn } from './target-platform.ts';

/** The index of the host, where build scripts and procedural macros run. */
export const HOST = -1;

/** Targets that were asked for, and what is used on them. */
export interface CompileTargets {
  /** Each once, sorted; empty where everything is built for the host. */
  readonly triples: readonly string[];
  /** True for what is used on a target: an index into `triples`, or `HOST`. */
  isUsed(dependency: Dependency, target: number): boolean;
}

/**
 * The targets that `names` stand for; without names those that are configured, else the host. Throws on targets that
 * rustc does not have built in.
 */
export async function compileTargets(
  names: readonly string[],
  config: Config,
  options: FlaggedTargetsOptions,
): Promise<CompileTargets> {
  const asked = names.length === 0 ? configuredTargets(config) : names;
  const { targets, host } = await flaggedTargets(asked, config, options);
  return {
    triples: targets.map(({ triple }) => triple),
    isUsed: (dependency, target) => {
      if (dependency.platform === null) return true;
      const each = target === HOST ? host : (targets[target] ?? null);
      return each !== null && isUsedOn(dependency, each);
    },
  };
}
