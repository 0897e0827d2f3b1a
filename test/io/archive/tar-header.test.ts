import { describe, expect, test } from 'vitest';
import { readTar } from '../../../src/io/archive/read-tar.ts';
import { tarHeader, tarPadding } from '../../../src/io/archive/tar-header.ts';

const PLAIN = { path: 'a-1.0.0/src/lib.rs', size: 5, isExecutable: false, isGenerated: false };

function field(header: Uint8Array, at: number, length: number): string {
  return Buffer.from(header).toString('latin1', at, at + length);
}

describe('tarHeader', () => {
  test('writes fixed owners, devices and times', () => {
    const header = tarHeader(PLAIN);
    expect(header.length).toBe(512);
    expect(field(header, 100, 8)).toBe('0000644\0');
    expect(field(header, 108, 16)).toBe('0000000\x000000000\0');
    expect(field(header, 124, 12)).toBe('00000000005\0');
    expect(field(header, 136, 12)).toBe('10461020230\0');
    expect(field(header, 156, 1)).toBe('0');
    expect(field(header, 257, 8)).toBe('ustar  \0');
    expect(field(header, 265, 64)).toBe('\0'.repeat(64));
    expect(field(header, 329, 16)).toBe('0000000\x000000000\0');
  });

  test('leaves owners and devices of generated files empty', () => {
    const header = tarHeader({ ...PLAIN, isGenerated: true });
    expect(field(header, 108, 16)).toBe('\0'.repeat(16));
    expect(field(header, 329, 16)).toBe('\0'.repeat(16));
    expect(field(header, 136, 12)).toBe('10461020230\0');
  });

  test('has a checksum that readers accept', () => {
    const [entry] = readTar(Buffer.concat([tarHeader({ ...PLAIN, isExecutable: true }), Buffer.alloc(512)]));
    expect(entry).toMatchObject({ path: PLAIN.path, mode: 0o755, mtime: 1_153_704_088, size: 5 });
  });

  test('writes sizes from 8 GiB on in binary', () => {
    const largest = tarHeader({ ...PLAIN, size: 8 ** 11 - 1 });
    expect(field(largest, 124, 12)).toBe('77777777777\0');
    const next = tarHeader({ ...PLAIN, size: 8 ** 11 });
    expect(field(next, 124, 12)).toBe('\x80\0\0\0\0\0\0\x02\0\0\0\0');
  });

  test('writes a long path as a separate GNU entry', () => {
    const path = `a-1.0.0/${'b'.repeat(93)}`;
    const header = tarHeader({ ...PLAIN, path, size: 0 });
    expect(header.length).toBe(3 * 512);
    expect(field(header, 0, 14)).toBe('././@LongLink\0');
    expect(field(header, 100, 24)).toBe('0000644\x000000000\x000000000\0');
    expect(field(header, 124, 24)).toBe('00000000146\x0000000000000\0');
    expect(field(header, 156, 1)).toBe('L');
    expect(field(header, 329, 16)).toBe('\0'.repeat(16));
    expect([...readTar(header)].map((entry) => entry.path)).toEqual([path]);
  });
});

test('tarPadding fills up to whole blocks', () => {
  expect([0, 1, 511, 512, 513].map(tarPadding)).toEqual([0, 511, 1, 0, 511]);
});
