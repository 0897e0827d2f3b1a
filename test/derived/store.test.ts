import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DerivedStore } from '../../src/derived/store.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const bytes = Buffer.from('bytes');

test('gives back what was stored, by kind and path', () => {
  const store = new DerivedStore(home, 'build');
  store.write('workspace', '/ws', bytes);
  expect(store.read('workspace', '/ws')).toEqual(bytes);
  expect(store.read('dependencies', '/ws')).toBeNull();
  expect(store.read('workspace', '/other')).toBeNull();
  expect(new DerivedStore(home, 'other').read('workspace', '/ws')).toBeNull();
});

test('removes what was not used for long', () => {
  const store = new DerivedStore(home, 'build');
  const folder = join(home, 'tsreg', 'derived');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old.workspace'), '');
  utimesSync(join(folder, 'old.workspace'), 1, 1);
  store.write('workspace', '/ws', bytes);
  expect(readdirSync(folder)).not.toContain('old.workspace');
  expect(store.read('workspace', '/ws')).toEqual(bytes);
});

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
