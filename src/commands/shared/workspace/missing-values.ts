/** Errors for flags without a value. Cargo Book: cargo update, cargo fetch. */
import type { Config } from '../../../io/config/config.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { wordingByProgram, Wording } from '../../../core/errors/wording.ts';

/** Returns the error for `-p` without a specification. It lists `members` by name. */
export function missingSpec(members: readonly string[]): TsregError {
  const list = members.length === 0 ? 'No packages available.\n' : 'Possible packages/workspace members:\n';
  return new TsregError(
    wordingByProgram(
      (program) =>
        '"--package <SPEC>" requires a SPEC format value, which can be any package ID specifier in the dependency graph.\n' +
        `Run \`${program} help pkgid\` for more information about SPEC format.\n\n${list}` +
        members.map((name) => `    ${name}\n`).join(''),
    ),
    { code: 'config' },
  );
}

/** Returns the error for `--target` without a target. */
export function missingTarget({ env }: Pick<Config, 'env'>): TsregError {
  const command = env['RUSTUP_HOME'] === undefined ? 'rustc --print target-list' : 'rustup target list';
  return new TsregError(
    new Wording(
      '`--target` needs a target',
      `"--target" takes a target architecture as an argument.\n\nRun \`${command}\` to see possible targets.`,
    ),
    {
      code: 'config',
      hint: 'name a target such as `x86_64-unknown-linux-gnu`, or `host-tuple` for this machine',
    },
  );
}
