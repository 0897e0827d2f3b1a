import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { TsregError } from '../../../src/core/errors/error.ts';
import { decodeIndex } from '../../../src/server/source/documentation-index.ts';
import {
  DOCUMENTATION_LIMITS,
  type DocumentationLimits,
} from '../../../src/server/source/documentation-limits.ts';
import {
  packDocumentation,
  type PackedDocumentation,
} from '../../../src/server/source/pack-documentation.ts';
import { withStorage } from '../../../src/server/source/documentation-storage.ts';
import { docsArchive, gzipTar, rustdocFiles, storedPage } from '../../helpers/documentation.ts';
import { oddEntry, withSum } from '../../helpers/odd-tar.ts';
import { packTar } from '../../helpers/tar.ts';

const PAGE = Buffer.from('<h1>Mug</h1>');

/** Returns the folder and the unpacked files of a packed blob. */
function unpack({ parts, indexSize }: PackedDocumentation): {
  folder: string;
  files: Record<string, string>;
} {
  const blob = Buffer.concat(parts);
  const index = decodeIndex(blob.subarray(blob.length - indexSize), blob.length - indexSize);
  if (index === null) throw new Error('the index is damaged');
  const files = Array.from(index.files, ([path, { first, length, size }]) => {
    const content = gunzipSync(blob.subarray(first, first + length));
    expect(content.length, path).toBe(size);
    return [path, content.toString()] as const;
  });
  return { folder: index.folder, files: Object.fromEntries(files) };
}

describe('packing documentation', () => {
  it('keeps every file but hidden ones, each compressed separately', () => {
    const given = rustdocFiles('mug');
    const packed = packDocumentation(docsArchive({ ...given, 'mug/._index.html': 'x' }), 'mug');
    const { '.lock': hidden, ...visible } = given;
    expect(hidden).toBe('');
    const shown = Object.entries(visible).map(([path, content]) => [
      path,
      path.endsWith('.html') ? storedPage(content) : content.toString(),
    ]);
    expect(unpack(packed)).toEqual({ folder: 'mug', files: Object.fromEntries(shown) });
    expect(packed.fileCount).toBe(shown.length);
  });

  it('starts in the folder of the library, else in the only one with a page', () => {
    const folder = (crate: string, files: Record<string, string>): string =>
      unpack(packDocumentation(docsArchive(files), crate)).folder;
    expect(folder('mug-core', { 'mug_core/index.html': '', 'serde/index.html': '' })).toBe('mug_core');
    expect(folder('mug-core', { 'renamed/index.html': '', 'src/mug/lib.rs.html': '' })).toBe('renamed');
    for (const [files, message] of [
      [{ 'a/index.html': '', 'b/index.html': '' }, 'several other folders'],
      [{ 'index.html': '', 'a/b/index.html': '' }, 'has no `mug_core/index.html`'],
      [{}, 'has no `mug_core/index.html`'],
    ] as const)
      expect(() => folder('mug-core', files)).toThrow(message);
  });

  it.each([
    ['../mug/index.html', 'is not a relative path'],
    ['mug/../../index.html', 'is not a relative path'],
    ['/mug/index.html', 'is not a relative path'],
    ['mug//index.html', 'is not a relative path'],
    ['././mug/index.html', 'is not a relative path'],
    ['mug/a\nb.html', 'has characters that are not allowed'],
    ['mug\\index.html', 'has the special character'],
  ])('refuses the path %j', (path, message) => {
    const archive = gzipTar([
      { path: 'mug/index.html', data: PAGE },
      { path, data: PAGE },
    ]);
    expect(() => packDocumentation(archive, 'mug')).toThrow(message);
  });

  it('refuses a name that is not UTF-8', () => {
    const bytes = packTar([{ path: 'mug/xxxx.html', data: PAGE }]);
    bytes[4] = 0xff;
    expect(() => packDocumentation(new Uint8Array(gzipSync(withSum(bytes))), 'mug')).toThrow('not allowed');
  });

  it('skips folders, and refuses everything else that is not a file', () => {
    const start = oddEntry({ path: './mug/index.html', data: PAGE });
    const pack = (...entries: readonly Buffer[]): PackedDocumentation =>
      packDocumentation(
        new Uint8Array(gzipSync(Buffer.concat([...entries, start, Buffer.alloc(1024)]))),
        'mug',
      );
    const folders = ['./', '.', './mug/'].map((path) => oddEntry({ path, type: '5' }));
    expect(Object.keys(unpack(pack(...folders)).files)).toEqual(['mug/index.html']);
    for (const type of ['1', '2', '3', '4', '6', 'S'])
      expect(() => pack(oddEntry({ path: 'mug/odd', type })), type).toThrow(
        '`mug/odd` is a link or a special file; only files and folders are allowed',
      );
    expect(() => pack(start)).toThrow('is in the archive twice');
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello')],
    ['a tar without compression', packTar([{ path: 'mug/index.html', data: PAGE }])],
    ['the start of a gzip file', gzipSync('x').subarray(0, 9)],
  ])('says what to send instead of %s', (_, bytes) => {
    expect(() => packDocumentation(new Uint8Array(bytes), 'mug')).toThrow(
      expect.objectContaining({
        code: 'archive',
        message: 'the upload is not compressed with gzip: send a `.tar.gz`',
      }),
    );
  });

  it('refuses data that is not gzip, is damaged, or ends in the middle of a file', () => {
    const archive = docsArchive(rustdocFiles('mug'));
    const damaged = archive.slice();
    damaged[archive.length - 6] = (archive.at(-6) ?? 0) ^ 1;
    for (const bytes of [Buffer.from('hello'), archive.subarray(0, archive.length - 20), damaged])
      expect(() => packDocumentation(new Uint8Array(bytes), 'mug')).toThrow(
        expect.objectContaining({ code: 'archive' }),
      );
    const tar = packTar([{ path: 'mug/index.html', data: Buffer.alloc(2000, 'x') }]);
    expect(() => packDocumentation(new Uint8Array(gzipSync(tar.subarray(0, 1536))), 'mug')).toThrow(
      'ends in the middle of `mug/index.html`',
    );
  });

  it.each<[keyof DocumentationLimits, number, TsregError['code']]>([
    ['maxUnpackedBytes', 4096, 'limit'],
    ['maxPackedBytes', 500, 'limit'],
    ['maxFileBytes', 100, 'limit'],
    ['maxEntries', 3, 'limit'],
    ['maxIndexBytes', 100, 'limit'],
    ['maxPathChars', 20, 'archive'],
  ])('refuses an archive that exceeds %s', (name, value, code) => {
    const archive = docsArchive(rustdocFiles('mug'));
    const refused = expect.objectContaining({ code });
    expect(() => packDocumentation(archive, 'mug', { ...DOCUMENTATION_LIMITS, [name]: value })).toThrow(
      refused,
    );
  });
});

describe('a packed page', () => {
  it('has a replacement for the storage before all other scripts, if it begins as the pages of rustdoc do', () => {
    const page = (text: string): string => Buffer.from(withStorage(Buffer.from(text))).toString();
    expect(page('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><script src="a.js">')).toMatch(
      /^<!DOCTYPE html><html lang="en"><head><script>[^<]*localStorage[^<]*<\/script><meta charset="utf-8"><script src="a.js">$/,
    );
    for (const other of ['', '<h1>Mug</h1>', `${' '.repeat(1025)}<head>`]) expect(page(other)).toBe(other);
  });
});

describe('the index of packed documentation', () => {
  const encode = (text: string): Uint8Array => gzipSync(text);

  it('is read back with offsets', () => {
    const index = decodeIndex(encode('mug\n30 4 mug/index.html\n25 9 a b.js'), 55);
    expect(index).toMatchObject({ folder: 'mug' });
    expect([...(index?.files ?? [])]).toEqual([
      ['mug/index.html', { first: 0, length: 30, size: 4 }],
      ['a b.js', { first: 30, length: 25, size: 9 }],
    ]);
  });

  it.each([
    ['other sizes than the blob', 'mug\n30 4 mug/index.html', 31],
    ['a line without a path', 'mug\n30 4 mug/index.html\n25 9', 55],
    ['an empty file in the blob', 'mug\n30 4 mug/index.html\n0 9 x', 30],
    ['no start page', 'mug\n30 4 other/index.html', 30],
    ['nothing', '', 0],
  ])('is damaged with %s', (_, text, end) => {
    expect(decodeIndex(encode(text), end)).toBeNull();
  });

  it('is damaged if it is not gzip or too large', () => {
    expect(decodeIndex(Buffer.from('mug'), 0)).toBeNull();
    expect(decodeIndex(gzipSync(Buffer.alloc(5_000_000, 'x')), 0)).toBeNull();
  });
});
