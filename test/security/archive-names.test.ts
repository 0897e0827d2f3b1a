import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ArchiveFile } from '../../src/io/archive/archive-plan.ts';
import { inspectCrate } from '../../src/io/archive/inspect-crate.ts';
import { writeCrate } from '../../src/io/archive/write-crate.ts';
import { oddEntry, oddTar, pax, type OddEntry } from '../helpers/odd-tar.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const TOP = 'a-1.0.0';
const MANIFEST = oddEntry({ path: `${TOP}/Cargo.toml`, data: Buffer.from('[package]') });
const OPTIONS = { topFolder: TOP, maxUnpackedBytes: 1_000_000, maxFiles: 100, isPortable: true };

function refusalOf(...entries: readonly Buffer[]): string {
  try {
    inspectCrate(gzipSync(oddTar(MANIFEST, ...entries)), OPTIONS);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const files = (...names: readonly string[]): string =>
  refusalOf(...names.map((name) => oddEntry({ path: `${TOP}/${name}` })));
const odd = (entry: Partial<OddEntry>, ...before: readonly Buffer[]): string =>
  refusalOf(...before, oddEntry({ path: `${TOP}/x`, ...entry }));

describe('names in a crate archive', () => {
  it.each([
    ['in case', 'src/Lib.rs', 'src/lib.rs'],
    ['in the case of a folder', 'Src/a.rs', 'src/b.rs'],
    ['in the case of other letters', 'STRÖM.md', 'ström.md'],
    ['in the form of a letter', 'caf\u00e9.md', 'cafe\u0301.md'],
    ['in both', 'CAF\u00c9.md', 'cafe\u0301.md'],
    ['in the form of a sign', '\u212a.md', 'k.md'],
    ['in a letter whose capital is two letters', 'ma\u00df.rs', 'mass.rs'],
    ['in a ligature', '\ufb01.rs', 'FI.rs'],
  ])('are refused if they differ only %s', (_, first, second) => {
    expect(files(first)).toBe('accepted');
    expect(files(second)).toBe('accepted');
    expect(files(first, second)).toContain('are the same name');
  });

  it('are refused if they repeat or name both a file and a folder', () => {
    expect(files('x', 'x')).toContain('twice');
    expect(files('x', 'x/y')).toContain('both a file and a folder');
    expect(files('x/y', 'x')).toContain('both a file and a folder');
    expect(refusalOf(oddEntry({ path: `${TOP}/x/`, type: '5' }), oddEntry({ path: `${TOP}/x` }))).toContain(
      'both a file and a folder',
    );
    expect(refusalOf(oddEntry({ path: `${TOP}/x/`, type: '5' }), oddEntry({ path: `${TOP}/x/y` }))).toBe(
      'accepted',
    );
  });

  it('are refused if they conflict with the `.cargo-ok` file that clients create', () => {
    const inTheWay = 'is reserved: clients create this file';
    expect(files('.cargo-ok/x')).toContain(inTheWay);
    expect(files('.Cargo-OK')).toContain(inTheWay);
    expect(refusalOf(oddEntry({ path: `${TOP}/.cargo-ok/`, type: '5' }))).toContain(inTheWay);
    expect(files('.cargo-ok', 'src/.cargo-ok/x')).toBe('accepted');
  });

  it.each(['x.', 'x ', 'dir./x', 'dir /x', '...', ' '])(
    'are refused if they end in a dot or a space: %j',
    (name) => {
      expect(files(name)).toContain('ends in a dot or a space');
    },
  );

  it.each(['a:b', 'a*', 'a?', 'a"', 'a<', 'a>', 'a|', 'a\\b', 'x:y/z'])(
    'are refused with characters that Windows forbids: %j',
    (name) => {
      expect(files(name)).toContain('special character');
    },
  );

  it.each(['a\x01', 'a\nb', 'a\x7f', 'a\u0085'])('are refused with control characters: %j', (name) => {
    expect(files(name)).toContain('characters that are not allowed');
  });

  it.each(['CON', 'nul', 'src/aux.rs', 'com1.tar.gz', 'LPT9/x', 'COM\u00b9', 'conin$', 'PRN .txt'])(
    'are refused if Windows reserves them: %j',
    (name) => {
      expect(files(name)).toContain('Windows reserves');
    },
  );

  it.each([
    'console.rs',
    'auxiliary',
    'nul_',
    'com10',
    'com',
    'lpt',
    '.con',
    'a.con',
    'größe.md',
    '日本語.md',
  ])('are accepted if only similar to reserved names, or not ASCII: %j', (name) => {
    expect(files(name)).toBe('accepted');
  });
});

it('a registry accepts a crate that the client packs, including long names', async () => {
  using temp = makeTempDir('archive-names');
  const path = join(temp.path, 'x.crate');
  const names = [
    'Cargo.toml',
    'größe/日本語.md',
    `${'long/'.repeat(40)}name.rs`,
    'n'.repeat(120),
    '.cargo/config.toml',
  ];
  const packed = names.map(
    (name): ArchiveFile => ({
      path: name,
      content: { kind: 'generate', bytes: Buffer.from('[package]') },
    }),
  );
  await writeCrate(packed, { path, topFolder: TOP, signal: new AbortController().signal });
  expect([...inspectCrate(readFileSync(path), OPTIONS).files].sort()).toEqual([...names].sort());
});

describe('archive entries that programs read differently', () => {
  it.each(['1', '2', '3', '4', '6'])('are refused if they are links or devices: type %s', (type) => {
    expect(odd({ type })).toContain('neither a file nor a folder');
  });

  it.each(['7', 'S', 'g', 'K', 'M', 'D', 'V', 'X', 'N', 'Z', '8'])(
    'are refused if their type is %s',
    (type) => {
      expect(odd({ type })).toMatch(/the type `.`|neither a file nor a folder/);
    },
  );

  it('are refused with a header older than ustar, or a trailing slash instead of the folder type', () => {
    const magic = 'ustar  \0';
    expect(odd({ path: `${TOP}/x/`, magic })).toContain('a folder for some programs');
    expect(odd({ path: `${TOP}/x/` })).toContain('not in the folder');
    expect(odd({ path: `${TOP}/x`, magic: '' })).toContain('before ustar');
    expect(odd({ path: `${TOP}/x/`, type: '\0', magic })).toContain('a folder for some programs');
    expect(odd({ path: `${TOP}/x`, type: '\0' })).toBe('accepted');
  });

  it('are refused if a size is not octal or stands in a pax extension', () => {
    const binary = Buffer.alloc(12);
    binary[0] = 0x80;
    binary[11] = 3;
    const data = Buffer.from('abc');
    expect(odd({ data })).toBe('accepted');
    expect(odd({ data, sizeField: binary })).toContain('is not octal');
    expect(odd({ data, sizeField: Buffer.from('+0000000003\0') })).toContain('is not octal');
    expect(odd({ data, sizeField: Buffer.from('0000000003\x007') })).toContain('is not octal');
    expect(odd({ data }, pax({ size: '3' }))).toContain('pax extensions');
  });

  it('are refused if extensions set more than names, times and owners, or a name twice', () => {
    expect(odd({}, pax({ path: `${TOP}/long`, mtime: '1.5', uid: '0' }))).toBe('accepted');
    for (const key of ['linkpath', 'GNU.sparse.major', 'GNU.sparse.name', 'hdrcharset', 'SCHILY.filetype']) {
      expect(odd({}, pax({ [key]: '1' })), key).toContain('pax extensions');
    }
    const twice = Buffer.from(`16 path=${TOP}\n16 path=${TOP}\n`);
    expect(odd({}, oddEntry({ path: 'p', type: 'x', data: twice }))).toContain('pax extensions');
    expect(odd({}, oddEntry({ path: 'p', type: 'x', data: Buffer.from('8 path=x\n') }))).toContain(
      'pax extensions',
    );
    const long = oddEntry({ path: 'p', type: 'L', data: Buffer.from(`${TOP}/other\0`) });
    expect(odd({}, long)).toBe('accepted');
    expect(odd({}, long, pax({ path: `${TOP}/third` }))).toContain('two long names');
    expect(odd({}, oddEntry({ path: 'p', type: 'L', data: Buffer.from(`${TOP}/x\0/../y`) }))).toMatch(
      /not in the folder|not allowed/,
    );
    expect(odd({}, long, long)).toContain('two long name entries');
  });
});
