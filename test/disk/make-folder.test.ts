import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from '../../src/disk/make-folder.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('make-folder');
afterAll(() => temp.remove());

it('makes a folder and those above it, with their mode, and may be asked again', () => {
  const folder = path.join(temp.path, 'a', 'b', 'c');
  for (const _ of [1, 2]) makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
});

it('takes a link to a folder for one', () => {
  mkdirSync(path.join(temp.path, 'real'));
  symlinkSync('real', path.join(temp.path, 'link'));
  makeFolder(path.join(temp.path, 'link'));
  makeFolder(path.join(temp.path, 'link', 'below'));
  expect(existsSync(path.join(temp.path, 'real', 'below'))).toBe(true);
});

it('fails where a file is in the way, and behind a link that leads nowhere', () => {
  writeFileSync(path.join(temp.path, 'file'), '');
  symlinkSync('nowhere', path.join(temp.path, 'broken'));
  expect(() => makeFolder(path.join(temp.path, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(path.join(temp.path, 'file', 'below'))).toThrow('ENOTDIR');
  expect(() => makeFolder(path.join(temp.path, 'broken'))).toThrow('EEXIST');
});

it.runIf(existsSync('/proc/self'))('returns where no folders are made', () => {
  expect(() => makeFolder('/proc/tsreg/data')).toThrow('ENOENT');
});
