import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchReference } from '../../src/io/git/fetch.ts';
import { initializeRepository } from '../../src/io/git/initialize.ts';
import { openRepository } from '../../src/io/git/repository.ts';
import { commitToRepo } from '../helpers/git-repo.ts';
import { recordingContext } from '../helpers/recording-report.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('git-urls');
});
afterEach(() => temp.remove());

async function fetchFrom(url: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { context } = recordingContext();
  const repository = initializeRepository(path.join(temp.path, 'db'), { bare: true });
  await fetchReference(
    repository,
    { url, reference: { kind: 'default' } },
    {
      ...context,
      env: { ...process.env, ...more },
      fetchWithCli: false,
      verbosity: 'normal',
      offlineFlag: null,
      retry: (attempt) => attempt(),
    },
  );
}

describe('the URL of a git repository', () => {
  it.each(['file://evil/x', 'file:///nowhere/%FF'])(
    'is named in the error if it is not a valid path: %s',
    async (url) => {
      await expect(fetchFrom(url)).rejects.toThrow(`failed to resolve path '${url}'`);
    },
  );

  it('may point to a local folder', async () => {
    const origin = path.join(temp.path, 'origin');
    commitToRepo(origin, [{ files: { file: 'x' } }]);
    await fetchFrom(pathToFileURL(origin).href);
    expect(openRepository(path.join(temp.path, 'db'))).not.toBe(null);
  });

  it.skipIf(onWindows)(
    'runs no program for its scheme unless the user allows it (not on Windows: a shell script)',
    async () => {
      const bin = path.join(temp.path, 'bin');
      const mark = path.join(temp.path, 'ran');
      mkdirSync(bin);
      writeFileSync(path.join(bin, 'git-remote-odd'), `#!/bin/sh\ntouch '${mark}'\nexit 1\n`);
      chmodSync(path.join(bin, 'git-remote-odd'), 0o755);
      const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
      await expect(fetchFrom('odd://host/x', env)).rejects.toThrow("transport 'odd' not allowed");
      expect(existsSync(mark)).toBe(false);
      await expect(fetchFrom('odd://host/x', { ...env, GIT_ALLOW_PROTOCOL: 'odd' })).rejects.toThrow();
      expect(existsSync(mark)).toBe(true);
    },
  );
});
