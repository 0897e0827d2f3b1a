import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeFiles } from '../../src/disk/node-files.ts';
import { replayTrace } from '../../src/disk/trace-record.ts';
import { TracingFiles } from '../../src/disk/tracing-files.ts';
import { onWindows } from '../helpers/system.ts';

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
  test('reads what is there', () => {
    const files = new NodeFiles();
    expect(Buffer.from(files.read(at('file')) ?? []).toString()).toBe('text');
    expect(files.read(at('absent'))).toBeNull();
    expect(() => files.read(at('sub'))).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  });

  test.skipIf(onWindows)('reads through links, and not below a file (not on Windows)', () => {
    const files = new NodeFiles();
    expect(Buffer.from(files.read(at('link')) ?? []).toString()).toBe('text');
    expect(() => files.read(at('file/x'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });

  test.skipIf(onWindows)('follows links to say what a path is (not on Windows)', () => {
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

  test.skipIf(onWindows)('lists in the order of bytes without following links (not on Windows)', () => {
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
  });

  test.skipIf(process.platform !== 'linux')(
    'leaves names out that are not UTF-8 (on Linux: other systems have no such names)',
    () => {
      const sub = Buffer.from(at('sub/'));
      writeFileSync(Buffer.concat([sub, Buffer.of(0x61, 0xff)]), '');
      writeFileSync(at('sub/\ufffd'), '');
      expect(new NodeFiles().list(at('sub'))).toEqual([{ name: '\ufffd', kind: 'file' }]);
    },
  );

  test('says whether a file has a content, in memory that files share', () => {
    writeFileSync(at('long'), 'x'.repeat(100_000));
    const files = new NodeFiles();
    const has = (name: string, content: string): boolean => files.hasContent(at(name), Buffer.from(content));
    expect(has('file', 'tex')).toBe(false);
    expect(has('long', 'x'.repeat(99_999))).toBe(false);
    expect(has('file', 'texts')).toBe(false);
    expect(has('file', 'tent')).toBe(false);
    expect(has('absent', '')).toBe(false);
    expect(() => has('sub', '')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
    expect(has('file', 'text')).toBe(true);
    expect(has('long', 'x'.repeat(100_000))).toBe(true);
    writeFileSync(at('sub/empty'), '');
    expect(has('sub/empty', 'x')).toBe(false);
    expect(has('sub/empty', '')).toBe(true);
  });

  test('sees no other content of a file that it has compared', () => {
    const files = new NodeFiles();
    expect(files.hasContent(at('file'), Buffer.from('text'))).toBe(true);
    writeFileSync(at('file'), 'other text');
    expect(Buffer.from(files.read(at('file')) ?? []).toString()).toBe('text');
    expect(files.hasContent(at('file'), Buffer.from('other text'))).toBe(false);
    expect(files.hasContent(at('file'), Buffer.from('text'))).toBe(true);
    files.read(at('absent'));
    expect(files.hasContent(at('absent'), Buffer.alloc(0))).toBe(false);
  });

  test('one run sees one state', () => {
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

describe('TracingFiles', () => {
  function trace(): Uint8Array {
    const files = new TracingFiles(new NodeFiles());
    files.read(at('file'));
    files.read(at('file'));
    files.read(at('absent'));
    files.list(folder);
    files.list(at('no-folder'));
    files.kind(at('sublink'));
    files.kind(at('dangling'));
    const record = files.record();
    if (record === null) throw new Error('nothing failed');
    return record;
  }

  test('answers as the files do', () => {
    const plain = new NodeFiles();
    const files = new TracingFiles(plain);
    expect(files.read(at('file'))).toBe(plain.read(at('file')));
    expect(files.list(folder)).toBe(plain.list(folder));
    expect(files.kind(at('dangling'))).toBeNull();
    expect([files.exists(at('file')), files.exists(at('absent'))]).toEqual([true, false]);
  });

  test('an unchanged disk gives the same answers', () => {
    expect(replayTrace(trace(), new NodeFiles())).toBe(true);
  });

  /** None on Windows. */
  const CHANGES_OF_LINKS = [
    [
      'an entry that changes its kind',
      () => {
        rmSync(at('sub'), { recursive: true });
        symlinkSync(tmpdir(), at('sub'));
      },
    ],
    [
      'a link that leads elsewhere',
      () => {
        rmSync(at('sublink'));
        symlinkSync('file', at('sublink'));
      },
    ],
    ['a link that finds its target', () => mkdirSync(at('nowhere'))],
  ] as const;

  test.each<readonly [string, () => void]>([
    ['a change of content', () => writeFileSync(at('file'), 'tex2')],
    ['a file that appears', () => writeFileSync(at('absent'), '')],
    ['a file that disappears', () => rmSync(at('file'))],
    ['an entry that is added', () => writeFileSync(at('zzz'), '')],
    ['a folder that appears', () => mkdirSync(at('no-folder'))],
    ...(onWindows ? [] : CHANGES_OF_LINKS),
    [
      'a file that became a folder',
      () => {
        rmSync(at('file'));
        mkdirSync(at('file'));
      },
    ],
  ])('sees %s', (_what, change) => {
    const record = trace();
    change();
    expect(replayTrace(record, new NodeFiles())).toBe(false);
  });

  test('a record that is cut short is no record', () => {
    const record = trace();
    const sound = [...record.keys()].filter((length) =>
      replayTrace(record.subarray(0, length), new NodeFiles()),
    );
    // What remains true are prefixes that end between two entries.
    expect(sound).toHaveLength(6);
    expect(record[0]).toBe(0);
  });

  test('a question that fails makes the state incomparable', () => {
    const files = new TracingFiles(new NodeFiles());
    expect(() => files.read(at('sub'))).toThrow();
    expect(files.record()).toBeNull();
  });
});
