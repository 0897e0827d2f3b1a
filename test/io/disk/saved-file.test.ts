import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { saveFile } from '../../../src/io/disk/saved-file.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
let path: string;
beforeEach(() => {
  temp = makeTempDir('kept-file');
  path = join(temp.path, 'file');
});
afterEach(() => temp.remove());

test('restore brings back a file that was changed or removed', () => {
  writeFileSync(path, 'before');
  const saved = saveFile(path);
  saved.edit(`${saved.text} and after`);
  expect(readFileSync(path, 'utf8')).toBe('before and after');
  saved.restore();
  expect(readFileSync(path, 'utf8')).toBe('before');
  rmSync(path);
  saved.restore();
  expect(readFileSync(path, 'utf8')).toBe('before');
});

test('isAsEdited compares the file with the text of the edit', () => {
  writeFileSync(path, 'before');
  const saved = saveFile(path);
  saved.edit(`${saved.text} and after`);
  expect(saved.isAsEdited()).toBe(true);
  writeFileSync(path, 'changed');
  expect(saved.isAsEdited()).toBe(false);
});

test('restore removes a file that did not exist before', () => {
  const saved = saveFile(path);
  saved.restore();
  writeFileSync(path, 'new');
  saved.restore();
  expect(existsSync(path)).toBe(false);
});

test('edit and restore do not touch an unchanged file', () => {
  writeFileSync(path, 'before');
  utimesSync(path, 1000, 1000);
  const saved = saveFile(path);
  saved.edit(saved.text);
  expect(saved.isAsEdited()).toBe(false);
  saved.restore();
  expect(statSync(path).mtimeMs).toBe(1_000_000);
});

test('keepFile names the path that it cannot read', () => {
  expect(() => saveFile(temp.path)).toThrow(`failed to read \`${temp.path}\``);
});
