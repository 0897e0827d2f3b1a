import { chmodSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findOnPath } from '../../../src/io/programs/program-file.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { writeTree } from '../../helpers/tree.ts';

const cwd = process.cwd();
let root: string;
beforeEach(() => {
  const temp = makeTempDir('program-file');
  root = realpathSync(temp.path);
  process.chdir(root);
  return () => {
    process.chdir(cwd);
    temp.remove();
  };
});

function writeProgram(file: string): void {
  writeTree(root, { [file]: '' });
  chmodSync(path.join(root, file), 0o755);
}

const find = (...folders: readonly string[]): string | null =>
  findOnPath('cargo', folders.join(path.delimiter));

it('returns an absolute path for relative and empty entries of `PATH`', () => {
  writeProgram('bin/cargo');
  expect(find('/nowhere', 'bin')).toBe(path.join(root, 'bin', 'cargo'));
  expect(find('/nowhere', '')).toBeNull();
  writeProgram('cargo');
  expect(find('/nowhere', '')).toBe(path.join(root, 'cargo'));
});

it('passes over a folder with the name of the program', () => {
  mkdirSync(path.join(root, 'first', 'cargo'), { recursive: true });
  writeProgram('second/cargo');
  expect(find('first', 'second')).toBe(path.join(root, 'second', 'cargo'));
});
