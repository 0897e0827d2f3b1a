/** The targets of a build and their dependencies. Cargo Book: cargo tree, `--target`; Configuration, `build.target`. */
import { present } from '../../../core/errors/assert.ts';
import { configuredTargets } from '../../../io/config/compiler-settings.ts';
import type { Config } from '../../../io/config/config.ts';
import type { Dependency } from '../../../core/summary/summary.ts';
import { flaggedTargets, type FlaggedTargetsOptions } from './flagged-targets.ts';
import { isUsedOn } from './target-platform.ts';

/** The index of the host, where build scripts and procedural macros run. */
export const HOST = -1;

/** The requested targets and the dependencies used on them. */
export interface CompileTargets {
  /** Sorted, without duplicates; empty if everything is built for the host. */
  readonly triples: readonly string[];
  /** The targets that something is built for, as `isUsed` takes them: indexes into `triples`, or else only `HOST`. */
  readonly indexes: readonly number[];
  /** Returns true if `dependency` is used on `target`: an index into `triples`, or `HOST`. */
  isUsed(dependency: Dependency, target: number): boolean;
}

/**
 * Returns the targets in `names`, or the configured ones if it is empty. Throws if a target is not built into rustc.
 */
export async function compileTargets(
  names: readonly string[],
  config: Config,
  options: FlaggedTargetsOptions,
): Promise<CompileTargets> {
  const requested = names.length === 0 ? configuredTargets(config) : names;
  const { targets, host } = await flaggedTargets(requested, config, options);
  return {
    triples: targets.map(({ triple }) => triple),
    indexes: targets.length === 0 ? [HOST] : Array.from(targets.keys()),
    isUsed: (dependency, target) => {
      if (dependency.platform === null) return true;
      const platform = target === HOST ? host : present(targets[target], 'a target of the build');
      return platform !== null && isUsedOn(dependency, platform);
    },
  };
}
