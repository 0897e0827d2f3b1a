import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeFiles } from '../../src/disk/node-files.ts';
import { replayTrace } from '../../src/disk/trace-record.ts';
import { TracingFiles } from '../../src/disk/tracing-files.ts';
import type { ComparableFiles, Files } from '../../src/files/files.ts';
import { onWindows } from '../helpers/system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trace-record-'));
  mkdirSync(at('src'));
  writeFileSync(at('src/lib.rs'), '');
  writeFileSync(at('Cargo.toml'), 'text');
  writeFileSync(at('LICENSE'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** What is asked of a package. */
const EXISTING = ['src/lib.rs', 'src/main.rs'];
const FILES = ['build.rs', 'README.md', 'README.txt', 'README'];
const FOLDERS = ['src/bin', 'examples', 'tests', 'benches'];

function ask(files: Files): unknown {
  return [
    Buffer.from(files.read(at('Cargo.toml')) ?? []).toString(),
    ...EXISTING.map((name) => files.exists(at(name))),
    ...FILES.map((name) => files.kind(at(name))),
    ...FOLDERS.map((name) => files.list(at(name))),
  ];
}

function trace(): Uint8Array {
  const files = new TracingFiles(new NodeFiles());
  ask(files);
  const record = files.record();
  if (record === null) throw new Error('nothing failed');
  return record;
}

/** Holds exactly where all that was asked has the same answers. */
function expectToHoldRightly(before: () => void, change: () => void): void {
  before();
  const wanted = ask(new NodeFiles());
  const record = trace();
  expect(replayTrace(record, new NodeFiles())).toBe(true);
  change();
  const isSame = JSON.stringify(ask(new NodeFiles())) === JSON.stringify(wanted);
  expect(replayTrace(record, new NodeFiles())).toBe(isSame);
}

const APPEARANCES: Record<string, (name: string) => void> = {
  'a file': (name) => writeFileSync(at(name), ''),
  'a folder': (name) => mkdirSync(at(name)),
  'a link that leads nowhere': (name) => symlinkSync('nowhere', at(name)),
  'a link to a file': (name) => symlinkSync(at('Cargo.toml'), at(name)),
  'a link to a folder': (name) => symlinkSync(at('src'), at(name)),
  'a name in capitals': (name) => writeFileSync(at(name.replace(/[^/]*$/, (last) => last.toUpperCase())), ''),
  'something else': (name) => writeFileSync(at(`${name}~`), ''),
  'a name of other characters': (name) => writeFileSync(at(`${name}\u212a`), ''),
};

/** Links take rights on Windows that few have. */
const KINDS = Object.keys(APPEARANCES).filter((kind) => !(onWindows && kind.includes('link')));

describe.each([...EXISTING, ...FILES, ...FOLDERS].filter((name) => name !== 'src/lib.rs'))('%s', (name) => {
  test.each(KINDS)('%s appears', (kind) => {
    expectToHoldRightly(
      () => {},
      () => APPEARANCES[kind]?.(name),
    );
  });

  test.each(KINDS)('%s was there and goes', (kind) => {
    expectToHoldRightly(
      () => APPEARANCES[kind]?.(name),
      () => {
        rmSync(at('src'), { recursive: true });
        renameSync(folder, `${folder}-2`);
        mkdirSync(folder);
        writeFileSync(at('Cargo.toml'), 'text');
        rmSync(`${folder}-2`, { recursive: true });
      },
    );
  });

  test.skipIf(onWindows)('a link that led nowhere finds what it leads to', () => {
    expectToHoldRightly(
      () => symlinkSync(at('target'), at(name)),
      () => writeFileSync(at('target'), ''),
    );
    rmSync(at(name));
    rmSync(at('target'));
    expectToHoldRightly(
      () => symlinkSync(at('elsewhere'), at(name)),
      () => mkdirSync(at('elsewhere')),
    );
  });

  test.skipIf(onWindows)('a file becomes a folder, and a link to one', () => {
    expectToHoldRightly(
      () => writeFileSync(at(name), ''),
      () => {
        rmSync(at(name));
        mkdirSync(at(name));
      },
    );
    expectToHoldRightly(
      () => {},
      () => {
        rmSync(at(name), { recursive: true });
        symlinkSync(at('src'), at(name));
      },
    );
  });
});

test.skipIf(onWindows).each([
  ['a file', () => writeFileSync(at('src'), '')],
  ['a link to a file', () => symlinkSync(at('Cargo.toml'), at('src'))],
  ['a link that leads nowhere', () => symlinkSync('nowhere', at('src'))],
  ['a link to another folder with the same in it', () => symlinkSync('moved', at('src'))],
  ['nothing', () => {}],
])('a folder becomes %s, and nothing a folder', (_, become) => {
  expectToHoldRightly(
    () => {},
    () => {
      renameSync(at('src'), at('moved'));
      become();
    },
  );
  rmSync(at('src'), { force: true });
  expectToHoldRightly(
    () => {},
    () => mkdirSync(at('src/bin'), { recursive: true }),
  );
});

test('what is not in a folder is not asked for one by one', () => {
  const record = trace();
  const asked: string[] = [];
  const disk = new NodeFiles();
  const files: ComparableFiles = {
    read: (path) => disk.read(path),
    hasContent: (path, content) => disk.hasContent(path, content),
    list: (path) => (asked.push(path), disk.list(path)),
    kind: (path) => (asked.push(path), disk.kind(path)),
    exists: (path) => (asked.push(path), disk.exists(path)),
  };
  expect(replayTrace(record, files)).toBe(true);
  expect(asked).toEqual(['src/lib.rs', 'src/main.rs', 'src/bin'].map(at));
  writeFileSync(at('other'), '');
  asked.length = 0;
  expect(replayTrace(record, files)).toBe(true);
  expect(asked).toHaveLength(EXISTING.length + FILES.length + FOLDERS.length);
});

test('a folder with much more in it is not listed', () => {
  for (let i = 0; i < 100; i += 1) writeFileSync(at(`file-${i}`), '');
  const asked: string[] = [];
  const disk = new NodeFiles();
  const files: ComparableFiles = {
    read: (path) => disk.read(path),
    hasContent: (path, content) => disk.hasContent(path, content),
    list: (path) => (asked.push(path), disk.list(path)),
    kind: (path) => (asked.push(path), disk.kind(path)),
    exists: (path) => (asked.push(path), disk.exists(path)),
  };
  expect(replayTrace(trace(), files)).toBe(true);
  expect(asked).toHaveLength(EXISTING.length + FILES.length + FOLDERS.length);
});
