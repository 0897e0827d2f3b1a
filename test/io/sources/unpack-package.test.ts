import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { isUnpacked } from '../../../src/io/sources/package-presence.ts';
import { removeUnfinishedUnpacks, unpackPackage } from '../../../src/io/sources/unpack-package.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { BELOW_A_FILE, onWindows, osWords } from '../../helpers/system.ts';
import { packTar } from '../../helpers/tar.ts';

const id = makePackageId(
  'aa',
  parseVersion('1.0.0'),
  new SourceTable().forRegistryIndex('sparse+https://h/i/', 'alt'),
);
const manifest = { path: 'aa-1.0.0/Cargo.toml', data: Buffer.from('[package]\n') };
let parent: string;
let root: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'unpack-'));
  root = join(parent, 'aa-1.0.0');
});
afterEach(() => rmSync(parent, { recursive: true }));

const file = (path: string, text = '', link?: string) => ({
  path,
  data: Buffer.from(text),
  ...(link === undefined ? {} : { link }),
});
const archive = (...entries: { path: string; data: Buffer; link?: string }[]) => gzipSync(packTar(entries));

/** Returns the messages of the error that `body` throws and of its causes. */
function chain(body: () => void): string[] {
  try {
    body();
  } catch (error) {
    const messages: string[] = [];
    for (let cause = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
    return messages;
  }
  return [];
}

describe('unpackPackage', () => {
  test('unpacks a package, marks it as ready, and leaves nothing else', () => {
    const tar = packTar([
      manifest,
      file('aa-1.0.0/src//./lib.rs', 'lib'),
      file('aa-1.0.0/.cargo-ok', 'x'),
      file('aa-1.0.0/src/.cargo-ok', 'x'),
    ]);
    expect(unpackPackage(gzipSync(tar), id, parent)).toBe(root);
    expect(readFileSync(join(root, 'src', 'lib.rs'), 'utf8')).toBe('lib');
    expect(readFileSync(join(root, '.cargo-ok'), 'utf8')).toBe('{"v":1}');
    expect(readdirSync(join(root, 'src'))).toEqual(['lib.rs']);
    expect(readdirSync(parent)).toEqual(['aa-1.0.0']);
    expect(isUnpacked(root)).toBe(true);
  });

  test('keeps the times of the archive, but sets fixed times for files that cargo generates', () => {
    unpackPackage(archive(manifest, file('aa-1.0.0/lib.rs')), id, parent);
    expect(statSync(join(root, 'Cargo.toml')).mtimeMs).toBe(1_153_704_088_000);
    expect(statSync(join(root, 'lib.rs')).mtimeMs).toBe(0o10617411400 * 1000);
  });

  test.skipIf(onWindows)(
    'keeps permissions except set-user-id and those that the umask removes (not on Windows: no modes of files)',
    () => {
      const tar = packTar([manifest, file('aa-1.0.0/run.sh')]);
      setMode(tar, 1024, 0o4777);
      const umask = process.umask(0o022);
      try {
        unpackPackage(gzipSync(tar), id, parent);
      } finally {
        process.umask(umask);
      }
      expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o755);
    },
  );

  test('replaces an unfinished package, also if it is a link', () => {
    mkdirSync(join(root, 'old'), { recursive: true });
    writeFileSync(join(root, '.cargo-ok'), 'ok');
    expect(isUnpacked(root)).toBe(false);
    unpackPackage(archive(manifest), id, parent);
    expect(readdirSync(root).toSorted()).toEqual(['.cargo-ok', 'Cargo.toml']);
    if (onWindows) return;
    rmSync(root, { recursive: true });
    symlinkSync('/etc', root);
    unpackPackage(archive(manifest), id, parent);
    expect(readdirSync(root).toSorted()).toEqual(['.cargo-ok', 'Cargo.toml']);
  });

  test('keeps the later of two entries with the same path', () => {
    unpackPackage(archive(manifest, file('aa-1.0.0/x', 'first'), file('aa-1.0.0/x', 'second')), id, parent);
    expect(readFileSync(join(root, 'x'), 'utf8')).toBe('second');
  });

  const inside = (path: string) => `failed to unpack entry at \`${path}\``;
  test.each([
    [
      'another folder',
      [manifest, file('bb-1.0.0/x')],
      ['invalid tarball downloaded, contains a file at "bb-1.0.0/x" which isn\'t under "aa-1.0.0"'],
    ],
    [
      'a dot in front',
      [file('./aa-1.0.0/x')],
      ['invalid tarball downloaded, contains a file at "./aa-1.0.0/x" which isn\'t under "aa-1.0.0"'],
    ],
    [
      'an absolute path',
      [file('/aa-1.0.0/x')],
      ['invalid tarball downloaded, contains a file at "/aa-1.0.0/x" which isn\'t under "aa-1.0.0"'],
    ],
    [
      'a path out',
      [manifest, file('aa-1.0.0/../evil')],
      [inside('aa-1.0.0/../evil'), 'the path leads out of the package'],
    ],
    [
      'a hidden path out',
      [file('aa-1.0.0/a/../../evil')],
      [inside('aa-1.0.0/a/../../evil'), 'the path leads out of the package'],
    ],
    [
      'a link',
      [manifest, file('aa-1.0.0/"l"', '', '/etc')],
      ['invalid tarball downloaded, contains an entry at "aa-1.0.0/\\"l\\"" with invalid type Symlink'],
    ],
  ])('refuses %s and leaves nothing', (_, entries, causes) => {
    expect(chain(() => unpackPackage(archive(...entries), id, parent))).toEqual([
      'failed to unpack package `aa v1.0.0 (registry `alt`)`',
      ...causes,
    ]);
    expect(readdirSync(parent)).toEqual([]);
  });

  test.each([
    ['too short', Buffer.from('garbage'), ['failed to iterate over archive', 'unexpected end of file']],
    [
      'a header alone',
      gzipSync('').subarray(0, 10),
      ['failed to iterate over archive', 'unexpected end of file'],
    ],
    ['not gzip', Buffer.from('other garbage'), ['failed to iterate over archive', 'invalid gzip header']],
    [
      'a file below a file',
      archive(file('aa-1.0.0/x'), file('aa-1.0.0/x/y')),
      ['aa-1.0.0/x/y', expect.stringMatching(BELOW_A_FILE)],
    ],
    ['a file in place of the package', archive(file('aa-1.0.0')), ['aa-1.0.0', osWords('EISDIR')]],
    [
      'a short tar',
      gzipSync(packTar([file('aa-1.0.0/x', 'y'.repeat(3000))]).subarray(0, 1024)),
      ['aa-1.0.0/x', 'failed to write entire file'],
    ],
    [
      'a short gzip',
      gzipSync(packTar([file('aa-1.0.0/x', noise(3000))])).subarray(0, 1500),
      ['aa-1.0.0/x', 'unexpected end of file'],
    ],
  ])("fails for %s with cargo's messages", (_, bytes, [first, last]) => {
    const messages = chain(() => unpackPackage(bytes, id, parent));
    expect(messages[0]).toBe('failed to unpack package `aa v1.0.0 (registry `alt`)`');
    expect(messages.at(-1)).toEqual(last);
    expect(messages.slice(1, -1)).toEqual(
      messages.length === 3
        ? [first]
        : [
            inside(`${first}`),
            `failed to unpack \`${join(parent, `${first}`)}\``,
            `failed to unpack \`${first}\` into \`${join(parent, `${first}`)}\``,
          ],
    );
    expect(readdirSync(parent)).toEqual([]);
  });

  test.each([
    ['1', 'Link'],
    ['3', 'Char'],
    ['4', 'Block'],
    ['6', 'Fifo'],
    ['7', 'Continuous'],
    ['S', 'GNUSparse'],
    ['Z', '__Nonexhaustive(90)'],
  ])('refuses an entry of type %s as %s', (type, name) => {
    const tar = packTar([file('aa-1.0.0/x')]);
    tar.write(type, 156);
    fixSum(tar, 0);
    expect(chain(() => unpackPackage(gzipSync(tar), id, parent)).at(-1)).toBe(
      `invalid tarball downloaded, contains an entry at "aa-1.0.0/x" with invalid type ${name}`,
    );
  });

  test('names the final folder if it cannot create the temporary one', () => {
    writeFileSync(root, '');
    removeUnfinishedUnpacks(root);
    const inside = join(root, 'below');
    expect(chain(() => unpackPackage(archive(manifest), id, inside))).toEqual([
      'failed to unpack package `aa v1.0.0 (registry `alt`)`',
      `failed to create directory \`${join(inside, 'aa-1.0.0')}\``,
      expect.stringMatching(BELOW_A_FILE),
    ]);
  });

  test('is cleaned up after killed runs by removeUnfinishedUnpacks', () => {
    mkdirSync(join(parent, '.tsreg-0123456789ab', 'aa-1.0.0'), { recursive: true });
    mkdirSync(root);
    removeUnfinishedUnpacks(parent);
    removeUnfinishedUnpacks(join(parent, 'none'));
    expect(readdirSync(parent)).toEqual(['aa-1.0.0']);
  });

  test.skipIf(onWindows || process.getuid?.() === 0)(
    'ignores what removeUnfinishedUnpacks cannot remove (not on Windows, not as root: nothing is protected)',
    () => {
      const unfinished = join(parent, '.tsreg-0123456789ab');
      mkdirSync(join(unfinished, 'aa-1.0.0'), { recursive: true });
      chmodSync(unfinished, 0o500);
      removeUnfinishedUnpacks(parent);
      chmodSync(unfinished, 0o700);
    },
  );
});

describe('isUnpacked', () => {
  test.each([
    ['{"v":1}', true],
    ['{ "v": 1, "x": 2 }', true],
    ['{"v":2}', false],
    ['', false],
    ['ok', false],
    ['null', false],
  ])('decides by the text of .cargo-ok: %s', (text, ready) => {
    mkdirSync(root);
    writeFileSync(join(root, '.cargo-ok'), text);
    expect(isUnpacked(root)).toBe(ready);
  });

  test('is false without .cargo-ok, and without the folder', () => {
    expect(isUnpacked(root)).toBe(false);
    mkdirSync(root);
    expect(isUnpacked(root)).toBe(false);
  });
});

function setMode(tar: Buffer, at: number, mode: number): void {
  tar.write(`${mode.toString(8).padStart(7, '0')}\0`, at + 100);
  fixSum(tar, at);
}

function fixSum(tar: Buffer, at: number): void {
  tar.write('        ', at + 148);
  const sum = tar.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148);
}

/** Returns text that does not compress. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  }).join('');
}
