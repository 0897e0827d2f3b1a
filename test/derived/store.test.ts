import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import type * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LazyRecords } from '../../src/derived/lazy-records.ts';
import { DerivedStore } from '../../src/derived/store.ts';
import { bytesOf } from '../helpers/changed-record.ts';
import { onWindows } from '../helpers/system.ts';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof nodeFs>();
  return { ...fs, utimesSync: vi.fn(fs.utimesSync) };
});

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const bytes = Uint8Array.from(Buffer.from('bytes'));

test('gives back what was stored, by kind and path', () => {
  const store = new DerivedStore(home, 'build');
  store.write('workspace', '/ws', bytes);
  expect(bytesOf(store.read('workspace', '/ws'))).toEqual(bytes);
  expect(store.read('dependencies', '/ws')).toBeNull();
  expect(store.read('workspace', '/other')).toBeNull();
  expect(new DerivedStore(home, 'other').read('workspace', '/ws')).toBeNull();
});

test('does not give back what was stored while the folder was reached by another path', () => {
  const link = `${home}-link`;
  symlinkSync(home, link, 'dir');
  try {
    new DerivedStore(home, 'build').write('workspace', '/ws', bytes);
    expect(new DerivedStore(link, 'build').read('workspace', '/ws')).toBeNull();
  } finally {
    rmSync(link);
  }
});

test('removes what was not used for long', () => {
  const store = new DerivedStore(home, 'build');
  const folder = join(home, 'tsreg', 'derived');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old.workspace'), '');
  utimesSync(join(folder, 'old.workspace'), 1, 1);
  store.write('workspace', '/ws', bytes);
  expect(readdirSync(folder)).not.toContain('old.workspace');
  expect(bytesOf(store.read('workspace', '/ws'))).toEqual(bytes);
});

test.skipIf(onWindows)(
  'is not kept from that by what is gone before it is looked at (not on Windows)',
  () => {
    const folder = join(home, 'tsreg', 'derived');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'old.workspace'), '');
    utimesSync(join(folder, 'old.workspace'), 1, 1);
    symlinkSync('gone', join(folder, 'gone.workspace'));
    new DerivedStore(home, 'build').write('workspace', '/ws', bytes);
    expect(readdirSync(folder)).not.toContain('old.workspace');
  },
);

test('is silent where nothing can be stored', () => {
  writeFileSync(join(home, 'file'), '');
  mkdirSync(join(home, 'tsreg'));
  writeFileSync(join(home, 'tsreg', 'derived'), '');
  for (const place of [join(home, 'file'), home, '/dev/null', '/proc/none']) {
    const store = new DerivedStore(place, 'build');
    store.write('workspace', '/ws', bytes);
    expect(store.read('workspace', '/ws')).toBeNull();
  }
});

test('reads what it may not mark as used', () => {
  const store = new DerivedStore(home, 'build');
  store.write('workspace', '/ws', bytes);
  const folder = join(home, 'tsreg', 'derived');
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
  vi.mocked(utimesSync).mockImplementationOnce(() => {
    throw new Error('a disk that is only to be read');
  });
  expect(bytesOf(store.read('workspace', '/ws'))).toEqual(bytes);
});

test.each([
  ['all', false],
  ['what is asked for', true],
])('reads %s of what was stored, wherever another one is put', (_, isLazy) => {
  const store = new DerivedStore(home, 'build', isLazy ? new LazyRecords() : null);
  store.write('workspace', '/ws', bytes);
  const file = store.read('workspace', '/ws');
  store.write('workspace', '/ws', Buffer.from('other'));
  expect(bytesOf(file)).toEqual(bytes);
  expect(bytesOf(store.read('workspace', '/ws'))).toEqual(Uint8Array.from(Buffer.from('other')));
});

test.runIf(process.platform === 'linux')('has no file open that is in memory (Linux)', () => {
  const store = new DerivedStore(home, 'build');
  store.write('workspace', '/ws', bytes);
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let i = 0; i < 20; i += 1) store.read('workspace', '/ws');
  expect(open()).toBeLessThan(before + 20);
});
