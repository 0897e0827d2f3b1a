import { describe, expect, it } from 'vitest';
import { compareSources, type Comparison } from '../../../src/server/source/compare-sources.ts';
import { diffLines } from '../../../src/server/source/diff-lines.ts';
import { packFiles, type PackedFiles } from '../../helpers/source-crates.ts';

function compare(old: PackedFiles, fresh: PackedFiles): Comparison {
  const archiveOf = (files: PackedFiles) => ({
    bytes: new Uint8Array(packFiles('a-1.0.0', files)),
    options: { topFolder: 'a-1.0.0', maxUnpackedBytes: 100_000_000, maxFiles: 2000 },
  });
  return compareSources(archiveOf(old), archiveOf(fresh));
}

describe('compareSources', () => {
  it('returns added, removed and changed files with their lines, and no others', () => {
    const { files } = compare(
      { same: 'x\n', changed: 'a\nb\nc\n', gone: 'x\n' },
      { same: 'x\n', changed: 'a\nB\nc\nd\n', fresh: 'y\nz\n' },
    );
    expect(files.map(({ path, oldSize, newSize }) => [path, oldSize, newSize])).toEqual([
      ['changed', 6, 8],
      ['fresh', null, 4],
      ['gone', 2, null],
    ]);
    expect(files[0]?.diff).toMatchObject({
      added: 2,
      removed: 1,
      hunks: [{ oldStart: 1, newStart: 1, lines: [' a', '-b', '+B', ' c', '+d'] }],
    });
  });

  it('lists manifests first and generated files last', () => {
    const names = [
      '.cargo_vcs_info.json',
      'Cargo.lock',
      'Cargo.toml.orig',
      'Cargo.toml',
      'src/lib.rs',
      'README.md',
    ];
    const filesOf = (text: string): PackedFiles => Object.fromEntries(names.map((name) => [name, text]));
    expect(compare(filesOf('1'), filesOf('2')).files.map(({ path }) => path)).toEqual([
      'Cargo.toml.orig',
      'Cargo.toml',
      'README.md',
      'src/lib.rs',
      '.cargo_vcs_info.json',
      'Cargo.lock',
    ]);
  });

  it('shows no lines of binary and of large files', () => {
    const big = 'x\n'.repeat(300_000);
    const { files } = compare(
      { bin: Buffer.from([0, 1]), big },
      { bin: Buffer.from([0, 2]), big: `${big}y` },
    );
    expect(files.map(({ path, diff }) => [path, diff])).toEqual([
      ['big', 'too-large'],
      ['bin', 'binary'],
    ]);
  });

  it('shows the lines of at most 300 files', () => {
    const many = Object.fromEntries(Array.from({ length: 310 }, (_, i) => [`f${i}`, 'x\n']));
    const { files } = compare({}, many);
    expect(files.filter(({ diff }) => typeof diff !== 'string')).toHaveLength(300);
    expect(files.filter(({ diff }) => diff === 'limit')).toHaveLength(10);
  });

  it.each([
    ['2 MB', `${'x'.repeat(99)}\n`.repeat(5000), 4],
    ['50,000 lines', '\n'.repeat(20_000), 2],
    ['2 MB of hidden characters and their numbers', 'a\r'.repeat(10_000), 4],
    ['2 MB with line ends of Windows', `${'x'.repeat(98)}\r\n`.repeat(5000), 4],
  ])('shows at most %s', (_, text, shownFiles) => {
    const many = Object.fromEntries(Array.from({ length: 6 }, (_value, i) => [`f${i}`, text]));
    const { files } = compare({}, many);
    expect(files.filter(({ diff }) => typeof diff !== 'string')).toHaveLength(shownFiles);
    expect(files.filter(({ diff }) => diff === 'limit')).toHaveLength(6 - shownFiles);
  });

  it('computes diffs for three seconds', () => {
    // Each takes longer than the second that it may take.
    const lines = (start: number): string =>
      Array.from({ length: 60_000 }, (_, i) => `${start + i * 2}\n`).join('');
    const filesOf = (text: string): PackedFiles =>
      Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`f${i}`, text]));
    const { files } = compare(filesOf(lines(0)), filesOf(lines(1)));
    const tried = files.filter(({ diff }) => diff === 'too-large').length;
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(3);
    expect(files.filter(({ diff }) => diff === 'limit')).toHaveLength(6 - tried);
  });

  it('returns the facts that only the archives state', () => {
    const manifest = '[package]\nedition = "2024"\n[lib]\nname = "a"\n';
    const { old, new: fresh } = compare({}, { 'Cargo.toml': manifest, x: '12345' });
    expect(old).toEqual({
      ...{ edition: null, license: null, description: null, targets: [] },
      fileCount: 1,
      unpackedSize: 10,
    });
    expect(fresh).toEqual({
      ...{ edition: '2024', license: null, description: null, targets: ['lib a'] },
      ...{ fileCount: 2, unpackedSize: manifest.length + 5 },
    });
  });
});

describe('diffLines', () => {
  it('marks a missing line end', () => {
    expect(diffLines('a\n', 'a')?.hunks[0]?.lines).toEqual(['-a', '+a', '\\ No newline at end of file']);
  });

  it('returns all lines of a text if the other one is empty', () => {
    expect(diffLines('', 'a\nb')).toEqual({
      added: 2,
      removed: 0,
      hunks: [
        {
          ...{ oldStart: 0, oldLines: 0, newStart: 1, newLines: 2 },
          lines: ['+a', '+b', '\\ No newline at end of file'],
        },
      ],
    });
    expect(diffLines('a\n', '')?.hunks[0]?.lines).toEqual(['-a']);
    expect(diffLines('', '')).toEqual({ added: 0, removed: 0, hunks: [] });
  });

  it('gives up after a second', () => {
    const lines = (start: number): string =>
      Array.from({ length: 60_000 }, (_, i) => `${start + i * 2}\n`).join('');
    expect(diffLines(lines(0), lines(1))).toBeNull();
  });
});
