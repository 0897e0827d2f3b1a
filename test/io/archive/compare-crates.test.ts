import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compareCrates, type CrateDifference } from '../../../src/io/archive/compare-crates.ts';
import { packTar } from '../../helpers/tar.ts';

const FILES = { 'Cargo.toml': 'm', 'src/lib.rs': 'l', '.cargo_vcs_info.json': '{"git":{"sha1":"1"}}' };

function crate(files: Readonly<Record<string, string>>, level = 9): Buffer {
  const entries = Object.entries(files).map(([path, text]) => ({
    path: `a-1.0.0/${path}`,
    data: Buffer.from(text),
  }));
  return gzipSync(packTar(entries), { level });
}

const compare = (a: Buffer, b: Buffer): CrateDifference => compareCrates(a, b, { maxBytes: 100_000 });

describe('compareCrates', () => {
  test('ignores compression level and entry order', () => {
    const reversed = Object.fromEntries(Object.entries(FILES).toReversed());
    expect(compare(crate(FILES), crate(reversed, 1))).toEqual({ kind: 'none' });
  });

  test('reports a difference only in the commit', () => {
    const other = { ...FILES, '.cargo_vcs_info.json': '{"git":{"sha1":"2"}}' };
    expect(compare(crate(FILES), crate(other))).toEqual({ kind: 'commit' });
    const { '.cargo_vcs_info.json': _, ...without } = FILES;
    expect(compare(crate(FILES), crate(without))).toEqual({ kind: 'commit' });
  });

  test.each([
    ['a file that differs', { ...FILES, 'src/lib.rs': 'other' }, 'a-1.0.0/src/lib.rs'],
    ['a file more', { ...FILES, new: '' }, 'a-1.0.0/new'],
    ['a file less', { 'Cargo.toml': 'm' }, 'a-1.0.0/src/lib.rs'],
    [
      'a file of that name elsewhere',
      { ...FILES, 'src/.cargo_vcs_info.json': '' },
      'a-1.0.0/src/.cargo_vcs_info.json',
    ],
  ])('reports the path of %s', (_, other, path) => {
    expect(compare(crate(FILES), crate(other))).toEqual({ kind: 'files', path });
    expect(compare(crate(other), crate(FILES))).toEqual({ kind: 'files', path });
  });

  test('throws for a broken, truncated or too large archive', () => {
    const whole = crate(FILES);
    expect(() => compare(whole, Buffer.from('no archive'))).toThrow();
    expect(() => compare(whole, whole.subarray(0, whole.length - 30))).toThrow();
    expect(() => compareCrates(whole, whole, { maxBytes: 100 })).toThrow();
  });
});
