import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderAccess, isReadableByOthers, sizeOfSubfolders } from '../../../src/io/disk/folder-access.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('folder-access');
});
afterEach(() => temp.remove());

const place = (name: string): string => path.join(temp.path, name);
const obeysModes = !onWindows && process.getuid?.() !== 0;

describe('folderAccess', () => {
  it('tells folders, files and missing paths apart', () => {
    writeFileSync(place('file'), '');
    expect(folderAccess(temp.path)).toEqual({ state: 'writable', foreignOwner: null });
    expect(folderAccess(place('file'))).toEqual({ state: 'not-a-folder', foreignOwner: null });
    expect(folderAccess(place('a/b/c'))).toEqual({ state: 'missing', foreignOwner: null });
    expect(folderAccess(place('file/b')).state).toBe('read-only');
  });

  it.runIf(obeysModes)('finds folders without write access (needs a user who is not root)', () => {
    mkdirSync(place('locked'), { mode: 0o555 });
    expect(folderAccess(place('locked')).state).toBe('read-only');
    expect(folderAccess(place('locked/new')).state).toBe('read-only');
    expect(folderAccess('/')).toEqual({ state: 'read-only', foreignOwner: 0 });
  });
});

it.skipIf(onWindows)('isReadableByOthers reads the mode of a file (not on Windows)', () => {
  writeFileSync(place('secret'), '');
  for (const [mode, isReadable] of [
    [0o600, false],
    [0o640, true],
    [0o604, true],
  ] as const) {
    chmodSync(place('secret'), mode);
    expect(isReadableByOthers(place('secret'))).toBe(isReadable);
  }
  expect(isReadableByOthers(place('absent'))).toBe(false);
});

it('sizeOfSubfolders counts the files exactly one level down', () => {
  mkdirSync(place('a/deep'), { recursive: true });
  writeFileSync(place('top'), 'not counted');
  writeFileSync(place('a/one'), '123');
  writeFileSync(place('a/two'), '45');
  writeFileSync(place('a/deep/three'), 'not counted');
  expect(sizeOfSubfolders(temp.path)).toEqual({ files: 2, bytes: 5 });
  expect(sizeOfSubfolders(place('absent'))).toEqual({ files: 0, bytes: 0 });
});
