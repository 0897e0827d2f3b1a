import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PackageCache } from '../../../src/io/disk/package-cache.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { registryFolders } from '../../../src/io/sources/registry-folders.ts';
import { StoredCrates } from '../../../src/io/sources/stored-crates.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { recordingContext } from '../../helpers/recording-report.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tsreg-stored-crates-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('finds archives in both homes, but no empty ones, and new ones after `forget`', () => {
  const cache = new PackageCache(home, recordingContext().context);
  const source = new SourceTable().cratesIo();
  const put = (below: string, file: string, content: string): void => {
    const folder = registryFolders(below, source).cache;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  put(cache.home, 'a-1.0.0.crate', 'x');
  put(cache.home, 'a-1.1.0.crate', '');
  put(cache.home, 'a-b-2.0.0.crate', 'x');
  put(cache.home, 'aa-3.0.0.crate', 'x');
  put(cache.home, 'A-4.0.0.crate', 'x');
  put(cache.ownHome, 'a-5.0.0-rc.1.crate', 'x');
  put(cache.ownHome, 'b-1.0.0+x.crate', 'x');
  const crates = new StoredCrates(source, { cache });
  const has = (name: string, version: string): boolean =>
    crates.has({ name, version: parseVersion(version) });
  expect(has('a', '1.0.0')).toBe(true);
  expect(has('a', '1.1.0')).toBe(false);
  expect(has('a', '5.0.0-rc.1')).toBe(true);
  expect([has('a', '2.0.0'), has('a', '3.0.0'), has('a', '4.0.0')]).toEqual([false, false, false]);
  expect([has('a-b', '2.0.0'), has('aa', '3.0.0'), has('A', '4.0.0')]).toEqual([true, true, true]);
  expect(has('b', '1.0.0+x')).toBe(true);
  expect(has('b', '1.0.0')).toBe(false);
  const versionsOf = (name: string): unknown =>
    crates
      .versionsOf(name)
      ?.map(({ text }) => text)
      .toSorted();
  expect([versionsOf('a'), versionsOf('a-b')]).toEqual([['1.0.0', '1.1.0', '5.0.0-rc.1'], ['2.0.0']]);
  expect([versionsOf('b'), versionsOf('c')]).toEqual([['1.0.0+x'], []]);
  put(cache.home, 'c-1.0.0.crate', 'x');
  crates.forget();
  expect(has('c', '1.0.0')).toBe(true);
  expect(versionsOf('c')).toEqual(['1.0.0']);
});

test('finds nothing in missing folders', () => {
  const cache = new PackageCache(home, recordingContext().context);
  const crates = new StoredCrates(new SourceTable().cratesIo(), { cache });
  expect(crates.has({ name: 'a', version: parseVersion('1.0.0') })).toBe(false);
});
