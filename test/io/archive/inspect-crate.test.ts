import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  inspectCrate,
  type InspectedCrate,
  type InspectOptions,
} from '../../../src/io/archive/inspect-crate.ts';
import { packTar, type TarEntry } from '../../helpers/tar.ts';

const LIMITS = { topFolder: 'a-1.0.0', maxUnpackedBytes: 1_000_000, maxFiles: 20, isPortable: false };
const MANIFEST: TarEntry = { path: 'a-1.0.0/Cargo.toml', data: Buffer.from('[package]') };

async function inspect(archive: Uint8Array, options: Partial<InspectOptions> = {}): Promise<InspectedCrate> {
  return inspectCrate(archive, { ...LIMITS, ...options });
}

function refusal(...entries: readonly TarEntry[]): Promise<string> {
  return refusalOf(gzipSync(packTar([MANIFEST, ...entries])));
}

function refusalOf(archive: Uint8Array, options: Parameters<typeof inspect>[1] = {}): Promise<string> {
  return inspect(archive, options).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
}

const file = (path: string, data = Buffer.alloc(0)): TarEntry => ({ path, data });

/** Builds an archive whose last entry has the given tar type. */
function typed(type: string, path = 'a-1.0.0/x'): Buffer {
  const tar = packTar([MANIFEST, file(path)]);
  setType(tar.subarray(1024, 1536), type);
  return gzipSync(tar);
}

function setType(header: Buffer, type: string): void {
  header.write(type, 156, 'latin1');
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}

it('inspectCrate returns the manifest and the files of a crate that cargo packed', async () => {
  const topFolder = 'odd-names-0.1.0+build.7';
  const crate = readFileSync(join(import.meta.dirname, 'recorded', `${topFolder}.crate`));
  const { files, manifest } = await inspect(crate, { topFolder, maxFiles: 1000 });
  expect(manifest).toContain('name = "odd-names"');
  expect(files.has('Cargo.toml')).toBe(true);
  expect([...files].some((path) => path.length > 100)).toBe(true);
});

describe('inspectCrate', () => {
  it.each([
    '../evil',
    '/etc/passwd',
    'a-1.0.0',
    'a-1.0.0/../evil',
    'a-1.0.0/./x',
    'a-1.0.0//x',
    'a-1.0.0/x/../../y',
    'A-1.0.0/x',
    'a-1.0.1/x',
    'x',
    '',
    '..',
    'C:/x',
  ])('refuses a path outside of the package folder: %s', async (path) => {
    expect(await refusal(file(path))).toContain('is not in the folder `a-1.0.0`');
  });

  it.each(['a\\..\\..\\b', 'a:b', 'x\ny', 'x\x7f', 'dir\\x/y', 'a*'])(
    'refuses a name with special characters: %j',
    async (name) => {
      expect(await refusal(file(`a-1.0.0/${name}`))).toMatch(/special character|not allowed/);
    },
  );

  it('refuses names that are not UTF-8', async () => {
    const tar = packTar([MANIFEST, file('a-1.0.0/x')]);
    tar[1024 + 8] = 0xff;
    const header = tar.subarray(1024, 1536);
    header.write('        ', 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    expect(await refusalOf(gzipSync(tar))).toContain('not allowed');
  });

  it('refuses links, devices and pipes, but accepts folders inside of the package', async () => {
    expect(await refusal({ ...file('a-1.0.0/l'), link: 'Cargo.toml' })).toContain(
      'neither a file nor a folder',
    );
    for (const type of ['1', '2', '3', '4', '6']) {
      expect(await refusalOf(typed(type)), type).toContain('neither a file nor a folder');
    }
    expect(await refusalOf(typed('5', 'a-1.0.0/dir/'))).toBe('accepted');
    expect(await refusalOf(typed('5', '../dir/'))).toContain('not in the folder');
  });

  it('refuses a path that appears twice or is both a file and a folder', async () => {
    expect(await refusal(file('a-1.0.0/x'), file('a-1.0.0/x'))).toContain('twice');
    expect(await refusal(MANIFEST)).toContain('twice');
    expect(await refusal(file('a-1.0.0/x'), file('a-1.0.0/x/y'))).toContain('both a file and a folder');
    expect(await refusalOf(typed('5', 'a-1.0.0/Cargo.toml/'))).toContain('both a file and a folder');
  });

  it('refuses an archive without a UTF-8 manifest named exactly `Cargo.toml`', async () => {
    expect(await refusalOf(gzipSync(packTar([file('a-1.0.0/x')])))).toContain('has no `Cargo.toml`');
    expect(await refusalOf(gzipSync(packTar([])))).toContain('has no `Cargo.toml`');
    expect(await refusal(file('a-1.0.0/cargo.toml'))).toContain('must be named');
    const latin1 = file('a-1.0.0/Cargo.toml', Buffer.from([0xe9]));
    expect(await refusalOf(gzipSync(packTar([latin1])))).toContain('not UTF-8');
  });

  it('refuses an archive with too many files or too many unpacked bytes', async () => {
    const many = Array.from({ length: 20 }, (_, index) => file(`a-1.0.0/${index}`));
    expect(await refusal(...many)).toContain('more than 20 files');
    expect(await refusal(...many.slice(1))).toBe('accepted');
    const bomb = gzipSync(packTar([MANIFEST, file('a-1.0.0/x', Buffer.alloc(30_000_000))]));
    expect(bomb.length).toBeLessThan(40_000);
    expect(await refusalOf(bomb)).toContain('unpacks to more than 1000000 bytes');
    expect(await refusal(file(`a-1.0.0/${'x'.repeat(90)}`))).toBe('accepted');
  });

  it.each([
    ['a sign before the length', '+19 path=a-1.0.0/y\n'],
    ['a length that is not decimal', '0x14 path=a-1.0.0/y\n'],
    ['an empty line', '18 path=a-1.0.0/y\n\n18 path=a-1.0.0/z\n'],
  ])('refuses pax records with %s', async (_, records) => {
    const tar = packTar([MANIFEST, file('pax', Buffer.from(records)), file('a-1.0.0/x')]);
    setType(tar.subarray(1024, 1536), 'x');
    expect(await refusalOf(gzipSync(tar))).toContain('records that programs read differently');
  });

  it('limits the depth of folders as the programs that unpack do', async () => {
    const deep = (type: string): Buffer => {
      const tar = packTar([MANIFEST, file('d/'.repeat(24) + (type === '5' ? '' : 'd'))]);
      const header = tar.subarray(1024, 1536);
      header.write(`a-1.0.0${'/d'.repeat(type === '5' ? 40 : 39)}`, 345);
      setType(header, type);
      return gzipSync(tar);
    };
    expect(await refusalOf(deep('0'))).toBe('accepted');
    expect(await refusalOf(deep('5'))).toContain('more than 64 parts');
  });

  it('refuses a truncated or damaged archive, and other data', async () => {
    const tar = packTar([MANIFEST, file('a-1.0.0/x', Buffer.alloc(3000, 1))]);
    for (const end of [0, 100, 512, 600, 1024, 1600, 3000, tar.length - 1024]) {
      expect(await refusalOf(gzipSync(tar.subarray(0, end))), `cut at ${end}`).not.toBe('accepted');
    }
    const whole = gzipSync(tar);
    expect(await refusalOf(whole)).toBe('accepted');
    for (const end of [0, 5, 20, whole.length - 9, whole.length - 1]) {
      expect(await refusalOf(whole.subarray(0, end)), `cut at ${end}`).not.toBe('accepted');
    }
    expect(await refusalOf(Buffer.from('no archive'))).toContain('invalid gzip header');
    expect(await refusalOf(gzipSync(Buffer.alloc(2000, 65)))).not.toBe('accepted');
    const other = Buffer.from(tar);
    other[3] = 66;
    expect(await refusalOf(gzipSync(other))).toContain('checksum');
  });

  it('refuses data after the end of the archive, but accepts zero padding', async () => {
    const tar = packTar([MANIFEST]);
    expect(await refusalOf(gzipSync(Buffer.concat([tar, Buffer.alloc(9000)])))).toBe('accepted');
    expect(await refusalOf(gzipSync(Buffer.concat([tar, packTar([file('a-1.0.0/x')])])))).toContain(
      'data after its end',
    );
    expect(await refusalOf(Buffer.concat([gzipSync(tar), gzipSync(packTar([file('../x')]))]))).toContain(
      'data after its end',
    );
  });
});
