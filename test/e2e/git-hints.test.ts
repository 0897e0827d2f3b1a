import { expect, it } from 'vitest';
import { TsregError, withContext } from '../../src/core/errors/error.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

it('suggests a git command without the password, or installing git, after a failed fetch', async () => {
  using temp = makeTempDir('git-hints');
  const manifest =
    '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nlog = { git = "https://me:secret@127.0.0.1:1/x" }\n';
  writeTree(temp.path, { 'Cargo.toml': manifest, 'src/lib.rs': '' }, (text) => text);
  const helpOf = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const given = { CARGO_HOME: `${temp.path}/home`, HOME: temp.path, CARGO_NET_RETRY: '0', ...env };
    const { status, stderr } = await runProgram(tsregProgram(), ['fetch'], { cwd: temp.path, env: given });
    expect(status).toBe(101);
    return stderr.slice(stderr.indexOf('\nhelp:'));
  };
  const help = await helpOf({ PATH: process.env['PATH'] ?? '' });
  expect(help).toContain("help: `git ls-remote https://127.0.0.1:1/x` shows git's own error");
  expect(help).not.toContain('secret');
  expect(await helpOf({ PATH: temp.path })).toBe(
    '\nhelp: tsreg fetches git repositories with git: install it, and make sure that it is on the PATH\n',
  );
});

it('withContext adds a hint only if the cause has none, whose hint it keeps otherwise', () => {
  const wrapped = (hint?: string): unknown => {
    const cause = new TsregError('cause', { code: 'git', ...(hint === undefined ? {} : { hint }) });
    try {
      return withContext(
        'outer',
        () => {
          throw cause;
        },
        { hint: 'general' },
      );
    } catch (error) {
      return error instanceof TsregError ? error.hint : error;
    }
  };
  expect(wrapped()).toBe('general');
  expect(wrapped('exact')).toBe('exact');
});
