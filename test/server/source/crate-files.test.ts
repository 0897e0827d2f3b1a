import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listFiles, readFile, type SourceArchive } from '../../../src/server/source/crate-files.ts';
import { runSourceTask } from '../../../src/server/source/source-task.ts';
import { oddEntry, oddTar, pax, type OddEntry } from '../../helpers/odd-tar.ts';
import { packFiles } from '../../helpers/source-crates.ts';

const OPTIONS = { topFolder: 'a-1.0.0', maxUnpackedBytes: 100_000, maxFiles: 20 };

function archive(bytes: Uint8Array): SourceArchive {
  return { bytes: new Uint8Array(bytes), options: OPTIONS };
}

/** Returns an archive with a manifest and these entries. */
function odd(...entries: readonly (OddEntry | Buffer)[]): SourceArchive {
  const manifest = oddEntry({ path: 'a-1.0.0/Cargo.toml', data: Buffer.from('[package]') });
  const others = entries.map((entry) => (Buffer.isBuffer(entry) ? entry : oddEntry(entry)));
  return archive(gzipSync(oddTar(manifest, ...others)));
}

/** Returns the problem of an archive as a thread reports it. */
function problemOf(source: SourceArchive): string {
  const result = runSourceTask({ kind: 'list', archive: source });
  return result.kind === 'problem' ? `${result.code}: ${result.message}` : result.kind;
}

describe('listFiles', () => {
  it('returns paths in the package with their sizes', () => {
    const files = { 'src/lib.rs': 'fn main() {}', 'empty.txt': '' };
    expect(listFiles(archive(packFiles('a-1.0.0', files)))).toEqual([
      { path: 'Cargo.toml', size: 10 },
      { path: 'src/lib.rs', size: 12 },
      { path: 'empty.txt', size: 0 },
    ]);
  });

  it.each<[string, SourceArchive, string | RegExp]>([
    [
      'a symbolic link',
      odd({ path: 'a-1.0.0/x', type: '2' }),
      /^archive: `a-1.0.0\/x` is neither a file nor/,
    ],
    ['a hard link', odd({ path: 'a-1.0.0/x', type: '1' }), /neither a file nor a folder$/],
    ['a device', odd({ path: 'a-1.0.0/x', type: '3' }), /neither a file nor a folder$/],
    ['a path that leads out', odd({ path: 'a-1.0.0/../x' }), /is not in the folder `a-1.0.0`$/],
    ['an absolute path', odd({ path: '/etc/passwd' }), /is not in the folder/],
    ['another top folder', odd({ path: 'b-1.0.0/x' }), /is not in the folder/],
    ['a name with markup', odd({ path: 'a-1.0.0/<b>' }), /has the special character `<`$/],
    [
      'a name with control characters',
      odd({ path: 'a-1.0.0/\u001b[2J' }),
      /characters that are not allowed$/,
    ],
    ['a file twice', odd({ path: 'a-1.0.0/x' }, { path: 'a-1.0.0/x' }), /is in the archive twice$/],
    ['a file that is a folder too', odd({ path: 'a-1.0.0/x' }, { path: 'a-1.0.0/x/y' }), /both a file and a/],
    [
      'two names for a file',
      odd(pax({ path: 'a-1.0.0/y', 'GNU.sparse.name': 'z' }), { path: 'a-1.0.0/x' }),
      /^archive: pax/,
    ],
    [
      'too many files',
      odd(...Array.from({ length: 20 }, (_, i) => ({ path: `a-1.0.0/${i}` }))),
      /^limit: .* more than 20 files/,
    ],
    [
      'too much content',
      odd({ path: 'a-1.0.0/x', data: Buffer.alloc(200_000) }),
      /^limit: .* more than 100000 bytes/,
    ],
    [
      'no manifest',
      archive(gzipSync(oddTar(oddEntry({ path: 'a-1.0.0/x' })))),
      'archive: the archive has no `Cargo.toml`',
    ],
    ['no gzip data', archive(Buffer.from('a 1.0.0')), /^archive: /],
    ['nothing', archive(Buffer.alloc(0)), /^archive: /],
    [
      'an end that is cut off',
      archive(packFiles('a-1.0.0', { x: 'x'.repeat(5000) }).subarray(0, -40)),
      /^archive: /,
    ],
  ])('refuses an archive with %s', (_, source, message) => {
    expect(problemOf(source)).toMatch(message);
  });

  it('accepts a name that Windows does not support', () => {
    expect(problemOf(odd({ path: 'a-1.0.0/con' }))).toBe('list');
  });
});

describe('readFile', () => {
  const source = archive(packFiles('a-1.0.0', { 'src/a.bin': Buffer.alloc(80_000, 7), 'src/b': 'b' }));

  it('returns the whole content of a file', () => {
    expect(readFile(source, 'src/a.bin')).toEqual(new Uint8Array(80_000).fill(7));
    expect(readFile(source, 'src/b')).toEqual(Uint8Array.of(98));
  });

  it('returns null for a folder and for a path that is not there', () => {
    expect([readFile(source, 'src'), readFile(source, ''), readFile(source, 'b')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
