import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareFolders, hashFolder } from '../../../src/io/disk/hash-folder.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('hash-folder');
  mkdirSync(join(temp.path, 'src'));
  writeFileSync(join(temp.path, 'src', 'lib.rs'), 'lib');
  writeFileSync(join(temp.path, 'gone'), 'gone');
  if (!onWindows) symlinkSync('src', join(temp.path, 'link'));
});
afterEach(() => temp.remove());

const at = (...names: readonly string[]): string => join(temp.path, ...names);

test('compareFolders finds no changes in an unchanged folder, whatever the ignored folder has', () => {
  const before = hashFolder(temp.path, 'target');
  mkdirSync(at('target'));
  writeFileSync(at('target/x'), 'x');
  expect(compareFolders(before, hashFolder(temp.path, 'target'))).toBeNull();
});

test('compareFolders lists changed, added and removed paths', () => {
  const before = hashFolder(temp.path, 'target');
  writeFileSync(at('src/lib.rs'), 'LIB');
  mkdirSync(at('src/target'));
  writeFileSync(at('src/b.rs'), '');
  rmSync(at('gone'));
  expect(compareFolders(before, hashFolder(temp.path, 'target'))).toEqual({
    changed: [at('src', 'lib.rs')],
    added: [at('src', 'b.rs'), at('src', 'target')],
    removed: [at('gone')],
  });
});

test.skipIf(onWindows)(
  'compareFolders lists a link with a new target as changed (not on Windows: links need rights there)',
  () => {
    const before = hashFolder(temp.path, 'target');
    unlinkSync(at('link'));
    symlinkSync('elsewhere', at('link'));
    expect(compareFolders(before, hashFolder(temp.path, 'target'))).toEqual({
      changed: [at('link')],
      added: [],
      removed: [],
    });
  },
);
