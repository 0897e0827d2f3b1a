import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCacheFile, trimCache, writeCacheFile } from '../../src/cache/cache-folder.ts';
import { hashText } from '../../src/cache/hash-text.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { onWindows } from '../helpers/system.ts';

const temp = makeTempDir('cache-folder');
afterAll(() => temp.remove());

const DAY_S = 24 * 60 * 60;
const now = Date.now() / 1000;

function age(file: string, days: number): void {
  utimesSync(file, now - days * DAY_S, now - days * DAY_S);
}

/** Creates a cache folder with one entry per name. Each value is the age of the entry in days. */
function cacheOf(name: string, entries: Readonly<Record<string, number>>): string {
  const folder = path.join(temp.path, name);
  for (const [each, days] of Object.entries(entries)) {
    writeCacheFile(path.join(folder, each), Buffer.from(each));
    age(path.join(folder, each), days);
  }
  return folder;
}

it('trimCache removes entries unused for 30 days and leftovers of interrupted writes', () => {
  const [old, new_] = [hashText('old'), hashText('new')];
  const folder = cacheOf('aged', {
    [`results/${old}`]: 31,
    [`results/${new_}`]: 29,
    [`packages/${old}`]: 40,
  });
  writeFileSync(path.join(folder, 'results', `${new_}.123.abc.tmp`), '');
  age(path.join(folder, 'results', `${new_}.123.abc.tmp`), 31);
  trimCache(folder);
  expect(readdirSync(path.join(folder, 'results'))).toEqual([new_]);
  expect(readdirSync(path.join(folder, 'packages'))).toEqual([]);
});

it('trimCache runs at most once a day, and readCacheFile marks an entry as used', () => {
  const name = hashText('x');
  const folder = cacheOf('daily', { [`results/${name}`]: 29 });
  const file = path.join(folder, 'results', name);
  expect(readCacheFile(file)?.toString()).toBe(`results/${name}`);
  expect(statSync(file).mtimeMs).toBeGreaterThan((now - DAY_S) * 1000);
  age(file, 31);
  trimCache(folder);
  expect(existsSync(file)).toBe(false);
  writeCacheFile(file, Buffer.from('x'));
  age(file, 31);
  trimCache(folder);
  expect(existsSync(file)).toBe(true);
  age(path.join(folder, 'trimmed'), 2);
  trimCache(folder);
  expect(existsSync(file)).toBe(false);
});

it.skipIf(onWindows)(
  'trimCache keeps foreign files, also behind links (not on Windows: links need rights there)',
  () => {
    const folder = cacheOf('foreign', { 'results/notes.txt': 99, 'other/deeper/00000000': 99 });
    const outside = cacheOf('outside', { '00000000': 99, 'inner/00000000': 99 });
    symlinkSync(outside, path.join(folder, 'results', 'linked'));
    symlinkSync(outside, path.join(folder, 'elsewhere'));
    symlinkSync(path.join(outside, '00000000'), path.join(folder, 'results', '00000000'));
    trimCache(folder);
    for (const file of ['results/notes.txt', 'other/deeper/00000000', 'elsewhere/inner/00000000'])
      expect(existsSync(path.join(folder, file)), file).toBe(true);
    expect(readFileSync(path.join(outside, '00000000'), 'utf8')).toBe('00000000');
    rmSync(outside, { recursive: true });
  },
);
