import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObjectStore } from '../../../src/io/git/object-store.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('object-store');
  git('init', '--quiet');
});
afterEach(() => temp.remove());

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: temp.path,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();
}

/** Adds a file with its name as its content, and moves all objects to one new pack. Returns the id of the file. */
function addPacked(name: string): string {
  writeFileSync(join(temp.path, name), name);
  git('add', '.');
  git('repack', '-a', '-d', '--quiet');
  return git('rev-parse', `:${name}`);
}

const open = (): ObjectStore => new ObjectStore(join(temp.path, '.git/objects'));

test('finds objects that git has moved to another pack', () => {
  const first = addPacked('first');
  const [reading, searching] = [open(), open()];
  expect(reading.read(first)?.data.toString()).toBe('first');
  expect(searching.has(first)).toBe(true);
  const second = addPacked('second');
  expect(reading.read(first)?.data.toString()).toBe('first');
  expect(reading.read(second)?.data.toString()).toBe('second');
  expect(searching.withPrefix(first.slice(0, 8))).toEqual([first]);
});

test('finds no object whose pack git is removing', () => {
  const first = addPacked('first');
  const folder = join(temp.path, '.git/objects/pack');
  for (const name of readdirSync(folder)) if (name.endsWith('.pack')) rmSync(join(folder, name));
  expect(open().read(first)).toBeNull();
});
