/** Targets with the `cfg` values from rustflags. Cargo Book: Configuration, `build.rustflags` and `[target]`. */
import { targetFlags } from '../../../io/config/compiler-settings.ts';
import type { Config } from '../../../io/config/config.ts';
import { programName } from '../../../io/config/environment.ts';
import { compareBytes } from '../../../core/files/compare-bytes.ts';
import { parsePlatform } from '../../../core/platform/parse-platform.ts';
import { matchesPlatform } from '../../../core/platform/platform.ts';
import { type TargetPlatform, targetFinder, targetName } from './target-platform.ts';
import { hostOfThisMachine } from '../version.ts';
import { checkTargetSettings } from './target-settings.ts';

/** cargo's warning if the flags that it computed change which flags apply. */
const CIRCULAR_FLAGS_WARNING =
  'non-trivial mutual dependency between target-specific configuration and RUSTFLAGS';

/** The targets of a build. */
export interface FlaggedTargets {
  /** Sorted by triple, without duplicates. */
  readonly targets: readonly TargetPlatform[];
  /** This machine, where build scripts and procedural macros run; null if rustc has no target for it. */
  readonly host: TargetPlatform | null;
}

/** The receiver of warnings. */
export interface FlaggedTargetsOptions {
  readonly report: { warning(text: string): void };
}

/**
 * Returns the targets in `names`, and the host. Throws if a target is not built into rustc, or if a setting for any
 * target is wrong.
 */
export async function flaggedTargets(
  names: readonly string[],
  config: Config,
  { report }: FlaggedTargetsOptions,
): Promise<FlaggedTargets> {
  const host = hostOfThisMachine();
  const triples = Array.from(new Set(names.map((name) => targetName(name, host)))).sort(compareBytes);
  checkTargetSettings(config, { host: () => host, requested: triples }, { report });
  const findTarget = await targetFinder(programName(config.env));
  const withFlags = (triple: string): TargetPlatform => {
    // Flags decide which `cfg(…)` hold, and those decide which flags apply. Like cargo (`TargetInfo::new`), this
    // computes the flags twice: first without `cfg` tables (null), then with the tables that hold. The third time only
    // checks that nothing changed.
    const flagsOn = (target: TargetPlatform | null): readonly string[] =>
      targetFlags(config, triple, (key) => target !== null && holds(key, target));
    const flags = flagsOn(findTarget(triple, flagsOn(null)));
    const target = findTarget(triple, flags);
    if (flagsOn(target).join('\0') !== flags.join('\0')) report.warning(CIRCULAR_FLAGS_WARNING);
    return target;
  };
  // Programs that run on the host get flags only if nothing else is built.
  const hostPlatform = (triple: string): TargetPlatform =>
    triples.length === 0 ? withFlags(triple) : findTarget(triple, []);
  return {
    host: host === null ? null : hostPlatform(host),
    targets: triples.map(withFlags),
  };
}

/** Returns true if the key of a `[target]` table matches the target. An invalid key matches none. */
function holds(key: string, { triple, cfgs }: TargetPlatform): boolean {
  try {
    return matchesPlatform(parsePlatform(key), triple, cfgs);
  } catch {
    return false;
  }
}
