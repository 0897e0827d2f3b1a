import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeFiles } from '../../../src/io/disk/node-files.ts';
import { onWindows } from '../../helpers/system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-files-'));
  writeFileSync(join(folder, 'file'), 'text');
  mkdirSync(join(folder, 'sub'));
  if (onWindows) return;
  symlinkSync('file', join(folder, 'link'));
  symlinkSync('sub', join(folder, 'sublink'));
  symlinkSync('nowhere', join(folder, 'dangling'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

describe('NodeFiles', () => {
  test('reads files, returns null for missing ones and throws for folders', () => {
    const files = new NodeFiles();
    expect(Buffer.from(files.read(at('file')) ?? []).toString()).toBe('text');
    expect(files.read(at('absent'))).toBeNull();
    expect(() => files.read(at('sub'))).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });

  test.skipIf(onWindows)(
    'reads through links, but throws below a file (not on Windows: links need rights there)',
    () => {
      const files = new NodeFiles();
      expect(Buffer.from(files.read(at('link')) ?? []).toString()).toBe('text');
      expect(() => files.read(at('file/x'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
    },
  );

  test.skipIf(onWindows)('follows links to classify a path (not on Windows: links need rights there)', () => {
    const files = new NodeFiles();
    expect(
      ['file', 'link', 'sub', 'sublink', 'dangling', 'absent', 'file/x'].map((n) => files.kind(at(n))),
    ).toEqual(['file', 'file', 'directory', 'directory', null, null, null]);
    expect(
      ['file', 'link', 'sub', 'sublink', 'dangling', 'absent', 'file/x'].filter((n) =>
        new NodeFiles().exists(at(n)),
      ),
    ).toEqual(['file', 'link', 'sub', 'sublink']);
    expect(files.kind('/dev/null')).toBe('other');
  });

  test.skipIf(onWindows)(
    'lists entries in byte order without following links (not on Windows: links need rights there)',
    () => {
      for (const name of ['B', 'a', '\u{1f600}', '\uff61']) writeFileSync(at(`sub/${name}`), '');
      const files = new NodeFiles();
      expect(files.list(at('sublink'))?.map(({ name }) => name)).toEqual(['B', 'a', '\uff61', '\u{1f600}']);
      expect(files.list(folder)).toEqual([
        { name: 'dangling', kind: 'symlink' },
        { name: 'file', kind: 'file' },
        { name: 'link', kind: 'symlink' },
        { name: 'sub', kind: 'directory' },
        { name: 'sublink', kind: 'symlink' },
      ]);
      expect(files.list(at('file'))).toBeNull();
      expect(files.list(at('absent'))).toBeNull();
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'omits names that are not UTF-8 (on Linux: other systems have no such names)',
    () => {
      const sub = Buffer.from(at('sub/'));
      writeFileSync(Buffer.concat([sub, Buffer.of(0x61, 0xff)]), '');
      writeFileSync(at('sub/\ufffd'), '');
      expect(new NodeFiles().list(at('sub'))).toEqual([{ name: '\ufffd', kind: 'file' }]);
    },
  );

  test('keeps returning the state that it read first', () => {
    const files = new NodeFiles();
    const look = (from: NodeFiles): unknown => [
      from.read(at('file'))?.length,
      from.kind(at('late')),
      from.exists(at('later')),
      from.kind(at('later')),
      from.list(at('sub'))?.length,
    ];
    const before = look(files);
    writeFileSync(at('file'), 'other text');
    writeFileSync(at('late'), '');
    mkdirSync(at('later'));
    writeFileSync(at('sub/late'), '');
    expect(look(files)).toEqual(before);
    expect(look(new NodeFiles())).toEqual([10, 'file', true, 'directory', 1]);
  });
});
