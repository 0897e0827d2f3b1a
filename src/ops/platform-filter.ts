/** Which declarations count for the platforms that `--filter-platform` names. Cargo Book: cargo metadata. */
import { compilerFlags } from '../config/compiler-settings.ts';
import type { Config } from '../config/config.ts';
import { TsregError } from '../errors/error.ts';
import { type CfgSet, matchesPlatform } from '../platform/platform.ts';
import { withRustflags } from '../platform/rustflags.ts';
import type { Dependency } from '../summary/summary.ts';
import { hostOfThisMachine } from './version.ts';

/** Answers of a filter; without named platforms every declaration counts. */
export interface PlatformFilter {
  /** True for what is used on at least one of the named platforms. */
  isRequested(dependency: Dependency): boolean;
  /**
   * For each named platform: true for what is used on it or on this machine, where build scripts run. One
   * filter that takes everything where no platform was named.
   */
  readonly downloads: readonly ((dependency: Dependency) => boolean)[];
}

interface Target {
  readonly triple: string;
  readonly cfgs: CfgSet;
}

const EVERYTHING: PlatformFilter = { isRequested: () => true, downloads: [() => true] };

/** Makes the filter of `--filter-platform`. Throws on targets that rustc does not have built in. */
export async function platformFilter(triples: readonly string[], config: Config): Promise<PlatformFilter> {
  if (triples.length === 0) return EVERYTHING;
  const host = hostOfThisMachine();
  const { targetCfgs } = await import('../platform/target-table.ts');
  const flags = compilerFlags(config);
  const target = (triple: string): Target => {
    const cfgs = targetCfgs(triple);
    if (cfgs !== null) return { triple, cfgs: withRustflags(cfgs, flags) };
    throw unknownTarget(triple);
  };
  const targets = triples.map((name) => target(targetName(name, host)));
  const hostTarget = host === null ? null : target(host);
  return {
    isRequested: (dependency) => targets.some((each) => isUsedOn(dependency, each)),
    downloads: targets.map(
      (each) => (dependency) =>
        isUsedOn(dependency, each) || (hostTarget !== null && isUsedOn(dependency, hostTarget)),
    ),
  };
}

function isUsedOn({ platform }: Dependency, { triple, cfgs }: Target): boolean {
  return platform === null || matchesPlatform(platform, triple, cfgs);
}

function targetName(name: string, host: string | null): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new TsregError('target was empty', { code: 'toolchain' });
  if (trimmed.endsWith('.json')) {
    throw new TsregError('`.json` target specs require -Zjson-target-spec', { code: 'toolchain' });
  }
  if (trimmed !== 'host-tuple') return trimmed;
  if (host === null) {
    throw new TsregError(`no target is known for ${process.platform} on ${process.arch}`, {
      code: 'toolchain',
    });
  }
  return host;
}

/** cargo passes on what rustc says of a target that it does not know. */
function unknownTarget(triple: string): TsregError {
  const crateTypes = ['bin', 'rlib', 'dylib', 'cdylib', 'staticlib', 'proc-macro'];
  const printed = ['sysroot', 'split-debuginfo', 'crate-name', 'cfg'];
  const command = [
    `rustc - --crate-name ___ --print=file-names --target ${triple}`,
    ...crateTypes.map((type) => `--crate-type ${type}`),
    ...printed.map((what) => `--print=${what}`),
    '-Wwarnings',
  ].join(' ');
  const cause = new TsregError(
    `process didn't exit successfully: \`${command}\` (exit status: 1)\n--- stderr\n` +
      `error: error loading target specification: could not find specification for target "${triple}"\n` +
      '  |\n  = help: run `rustc --print target-list` for a list of built-in targets\n\n',
    { code: 'toolchain' },
  );
  return new TsregError('failed to run `rustc` to learn about target-specific information', { cause });
}
