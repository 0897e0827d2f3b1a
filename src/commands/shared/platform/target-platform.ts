/** The `cfg` values of rustc's targets. Cargo Book: Specifying Dependencies, Platform specific dependencies. */
import { TsregError } from '../../../core/errors/error.ts';
import { closestName } from '../../../core/errors/similar-names.ts';
import { type ProgramName, Wording } from '../../../core/errors/wording.ts';
import { type CfgSet, matchesPlatform } from '../../../core/platform/platform.ts';
import { withRustflags } from '../../../core/platform/rustflags.ts';
import type { Dependency } from '../../../core/summary/summary.ts';

/** A target and its `cfg` values. */
export interface TargetPlatform {
  readonly triple: string;
  readonly cfgs: CfgSet;
}

/**
 * Returns a function that finds a target by its triple, with the `cfg` values that `flags` set. The function throws if
 * the target is not built into rustc.
 */
export async function targetFinder(
  program: ProgramName,
): Promise<(triple: string, flags: readonly string[]) => TargetPlatform> {
  const { targetCfgs, targetTriples } = await import('../../../core/platform/target-table.ts');
  return (triple, flags) => {
    const cfgs = targetCfgs(triple);
    if (cfgs !== null) return { triple, cfgs: withRustflags(cfgs, flags) };
    throw program === 'cargo' ? rustcFailure(triple, flags) : unknownTarget(triple, targetTriples());
  };
}

/** Returns true if a dependency is used on a target. */
export function isUsedOn({ platform }: Dependency, { triple, cfgs }: TargetPlatform): boolean {
  return platform === null || matchesPlatform(platform, triple, cfgs);
}

/**
 * Returns the triple for `name`. `host` is this machine's triple, null if it has none. Throws with cargo's messages.
 */
export function targetName(name: string, host: string | null): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new TsregError('target was empty', { code: 'toolchain' });
  if (trimmed.endsWith('.json')) {
    const message = '`.json` target specs require -Zjson-target-spec';
    throw new TsregError(new Wording(message, `${message} to be added to the cargo invocation`), {
      code: 'toolchain',
    });
  }
  if (trimmed !== 'host-tuple') return trimmed;
  if (host === null) {
    throw new TsregError(`no target is known for ${process.platform} on ${process.arch}`, {
      code: 'toolchain',
    });
  }
  return host;
}

const TARGETS_PAGE = 'https://doc.rust-lang.org/rustc/platform-support.html';
/** The most targets in a message. */
const MAX_TARGETS = 8;

/** Returns tsreg's own error for an unknown target, with a hint at similar ones: those with most words in common. */
function unknownTarget(triple: string, allTriples: readonly string[]): TsregError {
  const closest = closestName(triple, allTriples);
  const words = triple.split('-');
  const countIn = (name: string): number => words.filter((word) => name.split('-').includes(word)).length;
  const most = Math.max(...allTriples.map(countIn));
  const similar = most === 0 ? [] : allTriples.filter((name) => countIn(name) === most);
  let hint = `${TARGETS_PAGE} lists the targets`;
  if (closest !== null) hint = `a target with a similar name exists: \`${closest}\``;
  else if (similar.length > 0) {
    const shown = similar.slice(0, MAX_TARGETS).map((name) => `\`${name}\``);
    const more = similar.length - shown.length;
    hint = `similar targets are ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more: ${TARGETS_PAGE}`}`;
  }
  return new TsregError(`unknown target \`${triple}\``, { code: 'toolchain', hint });
}

/** Returns the error that cargo passes on from rustc for an unknown target. The command is that of `TargetInfo::new`. */
function rustcFailure(triple: string, flags: readonly string[]): TsregError {
  const crateTypes = ['bin', 'rlib', 'dylib', 'cdylib', 'staticlib', 'proc-macro'];
  const properties = ['sysroot', 'split-debuginfo', 'crate-name', 'cfg'];
  const command = [
    'rustc - --crate-name ___ --print=file-names',
    ...flags,
    `--target ${triple}`,
    ...crateTypes.map((type) => `--crate-type ${type}`),
    ...properties.map((property) => `--print=${property}`),
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
