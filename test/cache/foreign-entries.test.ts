/** Cache files that another program wrote with a correct checksum. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeEntryFile, encodeEntryFile } from '../../src/cache/entry-file.ts';
import { PackagePacks } from '../../src/cache/package-pack.ts';
import { findEntry } from '../../src/cache/result-cache.ts';
import { encodeEntry, type ResultEntry } from '../../src/cache/result-entry.ts';
import { hashText } from '../../src/cache/hash-text.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('foreign-entries');
afterAll(() => temp.remove());

const KEY = { text: 'key', path: path.join(temp.path, hashText('key')) };
const INPUTS: ResultEntry['inputs'] = {
  contents: [],
  listings: [],
  kinds: [],
  presences: [],
  realPaths: [],
  fingerprints: [],
};
const ENTRY: ResultEntry = { key: 'key', inputs: INPUTS, output: [{ fd: 1, bytes: Buffer.from('out') }] };

/** Yields values of every JSON type, and copies of `header` in which one field has such a value. */
function* shapes(header: object): Generator<unknown> {
  const odd = [null, true, -1, 1e300, 'x', [], {}, [[]], [null], [[null]], [{ length: 3 }], [['/', 7, {}]]];
  yield* odd;
  for (const name of Object.keys(header)) for (const each of odd) yield { ...header, [name]: each };
}

const { header } = decodeEntryFile<object>(encodeEntry(ENTRY)) ?? { header: {} };

describe('a result cache entry', () => {
  it('is found', () => {
    writeFileSync(KEY.path, encodeEntry(ENTRY));
    expect(findEntry(KEY)).toMatchObject({ key: 'key', output: [{ fd: 1 }] });
  });

  it('with a header of another shape is ignored or has printable output', () => {
    for (const shape of shapes(header)) {
      writeFileSync(KEY.path, encodeEntryFile({ header: shape, blobs: [Buffer.from('out')] }));
      for (const { fd, bytes } of findEntry(KEY)?.output ?? []) {
        expect([1, 2]).toContain(fd);
        expect(bytes).toBeInstanceOf(Uint8Array);
      }
    }
  });

  it('of another key in the same file is ignored', () => {
    writeFileSync(KEY.path, encodeEntry({ ...ENTRY, key: 'other' }));
    expect(findEntry(KEY)).toBeNull();
  });

  it.each([0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1])(
    'with a header that claims to have %i bytes is ignored',
    (length) => {
      const file = encodeEntry(ENTRY);
      file.writeUInt32LE(length, 12);
      file.writeUInt32LE(crc32(file.subarray(12)), 8);
      writeFileSync(KEY.path, file);
      expect(findEntry(KEY)).toBeNull();
    },
  );
});

describe('a package cache pack', () => {
  const root = path.join(temp.path, 'src', 'aa-1.0.0');
  const folder = path.join(temp.path, 'tsreg', 'cache', 'packages');
  const file = path.join(folder, hashText(`${path.dirname(root)}\0source`));

  it('with a header of another shape counts as empty', () => {
    mkdirSync(folder, { recursive: true });
    const right = { key: ['build', path.dirname(root), 'source'], packages: [] };
    const packages = [[1], [[root], 'name'], [[path.join(root, 'Cargo.toml'), 1, 1, 1, 1], 7]];
    for (const shape of [...shapes(right), { ...right, packages }]) {
      writeFileSync(file, encodeEntryFile({ header: shape, blobs: [] }));
      expect(new PackagePacks(temp.path, 'build').find({ root, source: 'source' })).toBeNull();
    }
  });
});
