import { expect, it } from 'vitest';
import { identify } from '../../src/cli/identity.ts';
import { printHelp } from '../../src/cli/print-help.ts';
import { commandHelp, programHelp } from '../../src/cli/help.ts';
import { findCommand, loadListed } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/program.ts';
import { leavesPipes, tellsPipes } from '../helpers/left-pipes.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

it.each([60, 80, 200])(
  'is no wider than a terminal of %d columns, and never wider than 100',
  async (width) => {
    const target = { invocation: 'tsreg', color: false, width };
    const texts = [programHelp(await loadListed(COMMANDS), [], target)];
    for (const name of ['metadata', 'publish', 'yank']) {
      const command = await findCommand(name, COMMANDS);
      if (command !== null) texts.push(commandHelp(command, command.flags, target));
    }
    const longest = Math.max(
      ...texts
        .join('\n')
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(Math.min(width, 100));
    expect(longest).toBeGreaterThan(Math.min(width, 100) - 20);
  },
);

/** What `tsreg NAME --help` prints. */
async function helpOf(name: string): Promise<string> {
  let text = '';
  const shell = { colorsOutput: false, outputWidth: 80, writeOut: (part: string) => void (text += part) };
  await printHelp(name, { commands: COMMANDS, identity: identify({}), env: {}, shell });
  return text;
}

it.each([
  [
    'whoami',
    ['--verbose', '--quiet', '--color', '--config', '--help'],
    ['--locked', '--offline', '--frozen', '-Z'],
  ],
  ['serve', ['--quiet', '--offline', '--config'], ['--locked', '--frozen', '--verbose']],
  ['serve token', ['--quiet', '--color'], ['--locked', '--offline', '--config']],
  ['serve publisher add', ['--quiet', '--color'], ['--locked', '--offline', '--config']],
  ['shim', ['--quiet'], ['--locked', '--offline', '--frozen', '--config']],
  ['completions', ['--help'], ['--locked', '--offline', '--color', '--verbose']],
  // As cargo lists them.
  ['login', ['--locked', '--offline', '--config', '-Z'], []],
])('of %s lists the flags that mean something there', async (name, listed, others) => {
  const words = (await helpOf(name)).split(/[\s,]+/).map((word) => word.replace(/\W+$/, ''));
  expect(words).toEqual(expect.arrayContaining(listed));
  for (const other of others) expect(words).not.toContain(other);
});

it('has arguments under a heading of their own, before the flags', async () => {
  const help = await helpOf('publish');
  expect(help).toMatch(/\n\nArguments:\n {2}\[FILE\.crate\] .*\n[^]*\n\nOptions:\n {2}-n, --dry-run/);
  expect(help.match(/\[FILE\.crate\]/g)).toHaveLength(2);
  expect(await helpOf('completions')).toContain('[possible values: bash, zsh,');
});

it.runIf(tellsPipes)('leaves the pipe that it is written to as it is (on Linux, under Node)', async () => {
  using temp = makeTempDir('help');
  const { path: cwd } = temp;
  for (const args of [['help'], ['metadata', '--help'], ['--version']]) {
    const run = async (env: Readonly<Record<string, string>>): Promise<void> => {
      const { stdout } = await runProgram(tsregProgram(), args, { cwd, env: { ...env, CARGO_HOME: cwd } });
      expect(stdout).toContain('tsreg');
    };
    expect(await leavesPipes(cwd, run), args.join(' ')).toBe(true);
  }
});
