import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectCrate } from '../../src/io/archive/inspect-crate.ts';
import { unpackArchive } from '../../src/io/sources/unpack-package.ts';
import { oddEntry, oddTar } from '../helpers/odd-tar.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const TOP = 'a-1.0.0';
const entry = (name: string, text = ''): Buffer =>
  oddEntry({ path: `${TOP}/${name}`, data: Buffer.from(text) });
const TAR = oddTar(entry('Cargo.toml', '[package]'), entry('src/lib.rs'));
const OPTIONS = { topFolder: TOP, maxUnpackedBytes: 1_000_000, maxFiles: 100, isPortable: true };

let temp: TempDir;
beforeAll(() => {
  temp = makeTempDir('gzip-members');
});
afterAll(() => temp.remove());

function refusalOf(archive: Uint8Array): string {
  try {
    inspectCrate(archive, OPTIONS);
    return 'accepted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a crate archive', () => {
  const whole = gzipSync(TAR);

  it('is accepted if it is one gzip member', () => {
    expect(refusalOf(whole)).toBe('accepted');
  });

  it.each([
    ['another member', gzipSync(oddTar(entry('evil.rs')))],
    ['an empty member', gzipSync(Buffer.alloc(0))],
    ['text', Buffer.from('trailing')],
    ['zeros', Buffer.alloc(512)],
    ['one byte', Buffer.alloc(1)],
  ])('is refused with data after the gzip member: %s', (_, rest) => {
    expect(refusalOf(Buffer.concat([whole, rest]))).toContain('data after its end');
  });

  it('is refused if it continues in a second gzip member, which clients do not read', () => {
    const parts = Buffer.concat([gzipSync(TAR.subarray(0, 1024)), gzipSync(TAR.subarray(1024))]);
    expect(refusalOf(parts)).not.toBe('accepted');
    const parent = join(temp.path, 'parts');
    mkdirSync(parent);
    expect(() => unpackArchive(parts, { parent, dirName: TOP })).not.toThrow();
    expect(readdirSync(join(parent, TOP))).not.toContain('src');
  });

  it('is refused if its size or checksum is wrong, or its end is missing', () => {
    for (const at of [1, 5]) {
      const wrong = Buffer.from(whole);
      wrong[wrong.length - at] = (wrong.at(-at) ?? 0) ^ 1;
      expect(refusalOf(wrong)).toContain('its checksum does not match its content');
    }
    for (const missing of [1, 4, 8, 9]) {
      expect(refusalOf(whole.subarray(0, -missing)), String(missing)).not.toBe('accepted');
    }
  });

  it('is refused unless the tar archive ends in empty blocks and nothing else', () => {
    expect(refusalOf(gzipSync(Buffer.concat([TAR, Buffer.alloc(8192)])))).toBe('accepted');
    expect(refusalOf(gzipSync(Buffer.concat([TAR, Buffer.alloc(511), Buffer.from('x')])))).toContain(
      'data after its end',
    );
    expect(refusalOf(gzipSync(Buffer.concat([TAR, entry('evil.rs')])))).toContain('data after its end');
    expect(refusalOf(gzipSync(TAR.subarray(0, -1024)))).not.toBe('accepted');
  });
});
