import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { acquireFileLock, NO_LOCKING, waitForFileLock } from '../../../src/io/disk/file-lock.ts';
import { PackageCache } from '../../../src/io/disk/package-cache.ts';
import { reportTo } from '../../../src/core/report/report.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

// The separator of Windows, by which the program recognizes that system.
vi.mock('node:path', async (original) => ({ ...(await original<object>()), sep: '\\' }));

test('locks nothing on Windows, where a lock would end with the program that took it', async () => {
  using temp = makeTempDir('windows-lock');
  const lines: string[] = [];
  const report = reportTo({ verbose: (verb, text) => void lines.push(`${verb} ${text}`) });
  const context = { ...recordingContext().context, report };
  const file = join(temp.path, 'file');
  const options = { mode: 'exclusive', description: 'x' } as const;
  expect(await acquireFileLock(file, options, context)).toBe(NO_LOCKING);
  expect(await acquireFileLock(temp.path, { ...options, isFolder: true }, context)).toBe(NO_LOCKING);
  await waitForFileLock(file, 'x', context);
  const cache = new PackageCache(temp.path, context);
  expect(await cache.hold((home) => Promise.resolve(home))).toBe(cache.ownHome);
  expect(lines).toEqual([
    `Locking is not possible on Windows; packages are kept in ${cache.ownHome} instead of ${temp.path}`,
  ]);
});
