import { expect, test } from 'vitest';
import { withoutCiCommands } from '../../src/cli/ci-commands.ts';

const GITHUB = { GITHUB_ACTIONS: 'true' };
const HOSTILE = 'a::b\n::error::x\r  \t::set-output name=a::b\n::\n##[add-mask]x and ##vso[task.complete]';

test('no line is a command of GitHub Actions', () => {
  expect(withoutCiCommands(HOSTILE, GITHUB)).toBe(
    'a::b\n: :error::x\r  \t: :set-output name=a::b\n: :\n## [add-mask]x and ## vso[task.complete]',
  );
});

test('nothing is a command of Azure Pipelines', () => {
  expect(withoutCiCommands('::debug::x\na ##VSO[task] ##[error]', { TF_BUILD: 'True' })).toBe(
    '::debug::x\na ## VSO[task] ## [error]',
  );
});

test('elsewhere text stays as it is', () => {
  expect(withoutCiCommands(HOSTILE, { CI: 'true', GITHUB_ACTIONS: 'false' })).toBe(HOSTILE);
});

test('much white space takes little time', () => {
  const text = '\n\u2028 '.repeat(50_000);
  expect(withoutCiCommands(text, GITHUB)).toBe(text);
});
