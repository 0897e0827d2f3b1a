import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchReference } from '../../../src/io/git/fetch.ts';
import { initializeRepository } from '../../../src/io/git/initialize.ts';
import { runGit } from '../../../src/io/git/process.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const { signal } = new AbortController();
let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('git-process');
});
afterEach(() => temp.remove());

test('runGit removes variables that would direct git elsewhere', async () => {
  const outer = { GIT_NAMESPACE: 'x', GIT_QUARANTINE_PATH: '/x', GIT_SHALLOW_FILE: '/x', GIT_DIR: '/x' };
  const env = { ...process.env, ...outer };
  const args = ['-c', 'alias.variables=!env', 'variables'];
  const { stdout } = await runGit(args, { gitDir: null, workDir: temp.path, env, signal });
  expect(stdout).toContain('LC_ALL=C');
  expect(stdout).not.toMatch(/^GIT_(?:NAMESPACE|QUARANTINE_PATH|SHALLOW_FILE|DIR)=./m);
});

test.skipIf(onWindows)(
  'a git that cannot be started fails like in cargo (not on Windows: its files have no modes)',
  async () => {
    mkdirSync(join(temp.path, 'bin'));
    writeFileSync(join(temp.path, 'bin', 'git'), '', { mode: 0o600 });
    const { context: operation } = recordingContext();
    const context = {
      ...operation,
      env: { PATH: join(temp.path, 'bin') },
      fetchWithCli: true,
      verbosity: 'normal',
      offlineFlag: null,
      retry: <T>(attempt: () => Promise<T>) => attempt(),
    } as const;
    const repository = initializeRepository(join(temp.path, 'db'), { bare: true });
    const origin = { url: 'file:///x', reference: { kind: 'default' } } as const;
    await expect(fetchReference(repository, origin, context)).rejects.toMatchObject({
      message: expect.stringMatching(/^could not execute process `git -c core\.fsmonitor=false fetch /),
      cause: { message: 'Permission denied (os error 13)' },
    });
  },
);
