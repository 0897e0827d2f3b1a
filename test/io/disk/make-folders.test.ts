import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders } from '../../../src/io/disk/make-folders.ts';
import { expectMode, onWindows } from '../../helpers/system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folders-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('creates missing folders and keeps existing ones', () => {
  makeFolders(join(folder, 'a', 'b', 'c'));
  expect(statSync(join(folder, 'a', 'b', 'c')).isDirectory()).toBe(true);
  makeFolders(join(folder, 'a'));
});

test.skipIf(onWindows)(
  'creates folders behind links, but not behind dangling ones (not on Windows: links need rights there)',
  () => {
    makeFolders(join(folder, 'a'));
    symlinkSync('a', join(folder, 'link'));
    makeFolders(join(folder, 'link'));
    makeFolders(join(folder, 'link', 'd'));
    expect(existsSync(join(folder, 'a', 'd'))).toBe(true);
    symlinkSync('nowhere', join(folder, 'broken'));
    expect(() => makeFolders(join(folder, 'broken'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  },
);

test.skipIf(onWindows)('gives all new folders the same mode (not on Windows: no modes of files)', () => {
  makeFolders(join(folder, 'a', 'b'), 0o700);
  expectMode(join(folder, 'a'), 0o700);
  expectMode(join(folder, 'a', 'b'), 0o700);
});

test('fails at or below a file', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolders(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(() => makeFolders(join(folder, 'file', 'x', 'y'))).toThrow(
    expect.objectContaining({ code: onWindows ? 'EEXIST' : 'ENOTDIR' }),
  );
});

test.skipIf(onWindows || !existsSync('/proc/self'))(
  'fails if it cannot create a folder (needs /proc)',
  () => {
    expect(() => makeFolders('/proc/none/at/all')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  },
);
