/** Configuration values from flags for rustc. */
import { TsregError } from '../errors/error.ts';
import { parseCfg } from './parse-platform.ts';
import { cfgLine, type CfgSet } from './platform.ts';

/**
 * Returns `cfgs` and the values that flags for rustc set by `--cfg NAME` or `--cfg=NAME`. Leaves out a value that it
 * cannot parse, because rustc would reject it. Cargo Book: Configuration, build.rustflags.
 */
export function withRustflags(cfgs: CfgSet, flags: readonly string[]): CfgSet {
  const all = new Set(cfgs);
  for (const [index, flag] of flags.entries()) {
    let value: string | undefined;
    if (flag === '--cfg') value = flags[index + 1];
    else if (flag.startsWith('--cfg=')) value = flag.slice('--cfg='.length);
    if (value === undefined) continue;
    try {
      all.add(cfgLine(parseCfg(value.trim())));
    } catch (error) {
      if (!(error instanceof TsregError)) throw error;
    }
  }
  return all;
}
