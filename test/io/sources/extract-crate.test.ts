import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { extractCrate } from '../../../src/io/sources/extract-crate.ts';
import { gzipStored, packTar } from '../../helpers/tar.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('extract-crate');
afterAll(() => temp.remove());

const archiveOf = (...paths: readonly string[]): Buffer =>
  gzipStored(packTar(paths.map((name) => ({ path: name, data: Buffer.from(name) }))));

describe('extractCrate', () => {
  it('creates the folder and its parents', () => {
    const parent = path.join(temp.path, 'new', 'parent');
    const root = path.join(parent, 'mine');
    extractCrate(archiveOf('a-1.0.0/src/lib.rs'), { root, dirName: 'a-1.0.0' });
    expect(readFileSync(path.join(root, 'src', 'lib.rs'), 'utf8')).toBe('a-1.0.0/src/lib.rs');
    expect(readdirSync(parent)).toEqual(['mine']);
  });

  it('fills a folder that is empty', () => {
    const root = path.join(temp.path, 'empty');
    mkdirSync(root);
    extractCrate(archiveOf('a-1.0.0/Cargo.toml'), { root, dirName: 'a-1.0.0' });
    expect(readdirSync(root)).toEqual(['Cargo.toml']);
  });

  it.each(['b-1.0.0/../../outside', 'other-1.0.0/file'])('leaves nothing behind if %s is refused', (name) => {
    const parent = path.join(temp.path, 'refused');
    mkdirSync(parent, { recursive: true });
    const archive = archiveOf('b-1.0.0/Cargo.toml', name);
    const root = path.join(parent, 'b-1.0.0');
    expect(() => extractCrate(archive, { root, dirName: 'b-1.0.0' })).toThrow(/^failed to unpack to /);
    expect(readdirSync(parent)).toEqual([]);
  });

  it('replaces neither a file nor a folder with content', () => {
    const parent = path.join(temp.path, 'taken');
    mkdirSync(path.join(parent, 'c-1.0.0'), { recursive: true });
    writeFileSync(path.join(parent, 'c-1.0.0', 'notes'), 'mine');
    writeFileSync(path.join(parent, 'd-1.0.0'), 'mine');
    for (const dirName of ['c-1.0.0', 'd-1.0.0']) {
      const root = path.join(parent, dirName);
      expect(() => extractCrate(archiveOf(`${dirName}/Cargo.toml`), { root, dirName })).toThrow(
        /^failed to unpack to /,
      );
    }
    expect(readdirSync(parent).toSorted()).toEqual(['c-1.0.0', 'd-1.0.0']);
    expect(readdirSync(path.join(parent, 'c-1.0.0'))).toEqual(['notes']);
    expect(readFileSync(path.join(parent, 'd-1.0.0'), 'utf8')).toBe('mine');
  });
});
