import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { documentationPage } from '../../src/cli/documentation-file.ts';
import { EXAMPLES } from '../../src/cli/examples.ts';
import { identify } from '../../src/commands/shared/identity.ts';
import { printHelp } from '../../src/cli/print-help.ts';
import { commandHelp, programHelp } from '../../src/cli/help.ts';
import { type Command, COMMAND_GROUPS, findCommand, loadListed } from '../../src/commands/shared/command.ts';
import type { Environment } from '../../src/io/config/environment.ts';
import { COMMANDS } from '../../src/cli/program.ts';
import { leavesPipes, tellsPipes } from '../helpers/left-pipes.ts';
import { isStandalone, runProgram, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

it.each([60, 80, 200])('fits help into %d columns and never uses more than 100', async (width) => {
  const end = { examples: [], documentation: 'docs/commands.md' };
  const target = { invocation: 'tsreg', isCargo: false, color: false, width, end };
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
});

/** Returns the output of `tsreg NAME --help`. */
async function helpOf(name: string | null, env: Environment = {}, width = 80): Promise<string> {
  let text = '';
  const shell = { colorsOutput: false, outputWidth: width, writeOut: (part: string) => void (text += part) };
  await printHelp(name, { commands: COMMANDS, identity: identify(env), env, shell });
  return text;
}

it.each([
  [
    'whoami',
    ['--verbose', '--quiet', '--color', '--config', '--help'],
    ['--locked', '--offline', '--frozen', '-Z'],
  ],
  ['serve', ['--verbose', '--quiet', '--offline', '--config'], ['--locked', '--frozen']],
  ['serve token', ['--quiet', '--color'], ['--locked', '--offline', '--config']],
  ['serve publisher add', ['--quiet', '--color'], ['--locked', '--offline', '--config']],
  ['login', ['--verbose', '--config', '--help'], ['--locked', '--offline', '--frozen', '-Z', '-C']],
  ['logout', ['--verbose', '--config', '--help'], ['--locked', '--offline', '--frozen', '-Z', '-C']],
  ['owner', ['--verbose', '--config', '--help'], ['--locked', '--offline', '--frozen', '-Z', '-C']],
  ['search', ['--verbose', '--config', '--help'], ['--locked', '--offline', '--frozen', '-Z', '-C']],
  ['yank', ['--verbose', '--config', '--help'], ['--locked', '--offline', '--frozen', '-Z', '-C']],
  ['version', ['--verbose'], ['--quiet', '--color', '--config', '--locked', '--offline', '--frozen', '-Z']],
  ['tree', ['--locked', '--offline', '--frozen', '--config'], ['-Z', '-C']],
  ['update', ['--precise'], ['--breaking']],
  ['generate-lockfile', ['--ignore-rust-version'], ['--publish-time']],
  ['shim', ['--quiet'], ['--locked', '--offline', '--frozen', '--config']],
  ['completions', ['--help'], ['--locked', '--offline', '--color', '--verbose']],
])('lists only supported flags in the help of %s', async (name, listed, others) => {
  const [flags = ''] = (await helpOf(name)).split('\nExamples:');
  const words = flags.split(/[\s,]+/).map((word) => word.replace(/\W+$/, ''));
  expect(words).toEqual(expect.arrayContaining(listed));
  for (const other of others) expect(words).not.toContain(other);
});

it('uses the flags and the wording of cargo in compatibility mode', async () => {
  const help = await helpOf('update', { TSREG_COMPAT: 'cargo' }, 100);
  for (const line of [
    'Usage: cargo update [OPTIONS] [SPEC]...',
    'Update dependencies as recorded in the local lock file',
    "  -n, --dry-run                  Don't actually write the lockfile",
    '  -m, --manifest-path <PATH>     Path to Cargo.toml',
    '  -v, --verbose...               Use verbose output (-vv very verbose/build.rs output)',
    "  -Z <FLAG>                      Unstable (nightly-only) flags, see '-Z help' for details",
    '      --locked                   Assert that `Cargo.lock` will remain unchanged',
  ])
    expect(help.split('\n')).toContain(line);
  expect(help).not.toMatch(/Examples|Documentation|Common Options/);
  const search = await helpOf('search', { TSREG_COMPAT: 'cargo' });
  expect(search).toContain('Run without accessing the network');
  expect(await helpOf(null, { TSREG_COMPAT: 'cargo' })).toContain('(nightly-only)');
});

it('groups the commands under headings', async () => {
  const help = await helpOf(null);
  const headings = [...help.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...COMMAND_GROUPS, 'Options', 'Common Options', 'Examples']);
  expect(help).toMatch(/^Release:\n {2}package +Create .*\n {2}publish +Upload /m);
  expect(help).toContain('  -C <DIRECTORY>                 Change to DIRECTORY before doing anything else\n');
});

const names = [...COMMANDS.map(({ name }) => name), ...(await subcommandNames())];

async function subcommandNames(): Promise<readonly string[]> {
  const below = (parent: string, { subcommands = [] }: Command): readonly string[] =>
    subcommands.flatMap((each) => {
      const name = `${parent} ${each.name}`;
      return [name, ...below(name, each)];
    });
  const lists = COMMANDS.map(async (entry) => below(entry.name, await entry.load()));
  return (await Promise.all(lists)).flat();
}

it.each(names)('ends the help of `%s` with examples and its documentation page', async (name) => {
  const examples = EXAMPLES[name] ?? [];
  const end = (await helpOf(name)).split('\n\nExamples:\n')[1];
  const lines = examples.map(({ purpose, line }) => `  # ${purpose}\n  ${line}\n`);
  expect(end).toBe(`${lines.join('')}\nDocumentation: ${documentationPage(name)}\n`);
  expect(examples.length).toBeGreaterThanOrEqual(2);
  expect(examples.length).toBeLessThanOrEqual(3);
  expect(
    lines
      .join('')
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([]);
});

it.each(names.filter((name) => !['complete', 'help', 'read-manifest'].includes(name)))(
  'links `%s` to a documentation page that lists its flags',
  (name) => {
    const page = readFileSync(path.join(projectRoot, documentationPage(name)), 'utf8');
    expect(page).toContain(`<!-- flags of \`tsreg ${name}\``);
  },
);

it('prints help in colour with CARGO_TERM_COLOR=always, with the path of its page', async () => {
  using temp = makeTempDir('help-colour');
  const { path: cwd } = temp;
  const env = { CARGO_HOME: cwd, CARGO_TERM_COLOR: 'always' };
  const { stdout } = await runProgram(tsregProgram(), ['yank', '--help'], { cwd, env });
  expect(stdout).toContain(
    '\u001b[1m\u001b[92mUsage:\u001b[39m\u001b[22m \u001b[1m\u001b[96mtsreg yank\u001b[39m\u001b[22m',
  );
  expect(stdout).toContain('\u001b[2m# Yank one version\u001b[22m');
  const page = /Documentation:\S* (.*)\n$/.exec(stdout)?.[1] ?? '';
  expect(page).toBe(isStandalone ? '' : path.join(projectRoot, 'docs/yank.md'));
});

it('lists arguments under their own heading before the options', async () => {
  const help = await helpOf('publish');
  expect(help).toMatch(/\n\nArguments:\n {2}\[FILE\.crate\] .*\n[^]*\n\nOptions:\n {2}-n, --dry-run/);
  expect(help.match(/\[FILE\.crate\]/g)).toHaveLength(2);
  expect(await helpOf('completions')).toContain('[possible values: bash, zsh,');
});

it.runIf(tellsPipes)('does not make its output pipes non-blocking (on Linux, under Node)', async () => {
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
