/** What is built for which targets. Cargo Book: cargo tree, `--target`; Configuration, `build.target`. */
import { compilerFlags, configuredTargets } from '../config/compiler-settings.ts';
import type { Config } from '../config/config.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import type { Dependency } from '../summary/summary.ts';
import { isUsedOn, targetFinder, targetName } from './target-platform.ts';
import { hostOfThisMachine } from './version.ts';

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
export async function compileTargets(names: readonly string[], config: Config): Promise<CompileTargets> {
  const asked = names.length === 0 ? configuredTargets(config) : names;
  const host = hostOfThisMachine();
  const triples = new Set(asked.map((name) => targetName(name, host)));
  const sorted = Array.from(triples).sort(compareBytes);
  const flags = compilerFlags(config);
  const findTarget = await targetFinder();
  // What runs on the host gets flags only where nothing else is built.
  const hostTarget = host === null ? null : findTarget(host, sorted.length === 0 ? flags : []);
  const targets = sorted.map((triple) => findTarget(triple, flags));
  return {
    triples: sorted,
    isUsed: (dependency, target) => {
      if (dependency.platform === null) return true;
      const each = target === HOST ? hostTarget : (targets[target] ?? null);
      return each !== null && isUsedOn(dependency, each);
    },
  };
}
