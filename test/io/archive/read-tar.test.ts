import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { Header, Pax } from 'tar';
import { describe, expect, test } from 'vitest';
import { inflateGzip } from '../../../src/io/archive/inflate-gzip.ts';
import { readTar, readTarInParts } from '../../../src/io/archive/read-tar.ts';
import { packTar } from '../../helpers/tar.ts';

const paths = fc.stringMatching(/^[a-zé]{1,30}(\/[a-z]{1,30}){0,6}$/);

/** Packs an archive with the npm package `tar`, which writes ustar prefixes and pax records for long names. */
function packByNodeTar(path: string, data: Buffer, mode: number): Buffer {
  const fields = { path, mode, size: data.length, mtime: new Date(1_000_000_000_000), type: 'File' as const };
  const header = new Header(fields);
  const block = Buffer.alloc(512);
  const needsPax = header.encode(block, 0);
  const pax = needsPax ? new Pax({ path }).encode() : Buffer.alloc(0);
  return Buffer.concat([
    pax,
    block,
    data,
    Buffer.alloc((512 - (data.length % 512)) % 512),
    Buffer.alloc(1024),
  ]);
}

describe('readTar', () => {
  test('reads archives that the npm package tar writes', () => {
    fc.assert(
      fc.property(
        paths,
        fc.uint8Array({ maxLength: 2000 }),
        fc.constantFrom(0o644, 0o755),
        (path, bytes, mode) => {
          const data = Buffer.from(bytes);
          const [entry, ...more] = [...readTar(packByNodeTar(path, data, mode))];
          expect(more).toEqual([]);
          expect(entry).toMatchObject({ path, kind: 'file', mode, mtime: 1_000_000_000, size: data.length });
          expect(Buffer.from(entry?.data ?? [])).toEqual(data);
        },
      ),
    );
  });

  test('reads several entries, and stops at the first empty block', () => {
    const archive = packTar([
      { path: 'p/a', data: Buffer.from('x'.repeat(513)) },
      { path: 'p/link', data: Buffer.alloc(0), link: 'a' },
      { path: 'p/b', data: Buffer.from('y') },
    ]);
    const after = Buffer.concat([archive, packTar([{ path: 'p/late', data: Buffer.alloc(0) }])]);
    expect([...readTar(after)].map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['p/a', 'file', 513],
      ['p/link', 'link', 0],
      ['p/b', 'file', 1],
    ]);
  });

  test('reads GNU long names and binary sizes', () => {
    const name = `p/${'n'.repeat(200)}`;
    const long = packTar([{ path: '././@LongLink', data: Buffer.from(`${name}\0`) }]).subarray(0, 1024);
    retype(long, 'L');
    const file = packTar([{ path: 'p/n', data: Buffer.from('abc') }]);
    file.fill(0, 124, 136);
    file[124] = 0x80;
    file[135] = 3;
    fixSum(file);
    const [entry] = [...readTar(Buffer.concat([long, file]))];
    expect(entry).toMatchObject({ path: name, size: 3 });
  });

  test('takes an unknown type for a file, and a trailing slash for a folder only without ustar magic', () => {
    const odd = packTar([{ path: 'p/odd', data: Buffer.from('x') }]);
    retype(odd, 'Z');
    expect([...readTar(odd)][0]?.kind).toBe('file');
    const slash = packTar([{ path: 'p/d/', data: Buffer.alloc(0) }]);
    expect([...readTar(slash)][0]?.kind).toBe('file');
    slash.fill(0, 257, 265);
    fixSum(slash);
    expect([...readTar(slash)][0]?.kind).toBe('directory');
  });

  describe('an extension header before an entry', () => {
    const extension = (type: string, data: string): Buffer => {
      const tar = packTar([{ path: 'ext', data: Buffer.from(data) }]);
      retype(tar, type);
      return tar.subarray(0, -1024);
    };
    const record = (key: string, value: string): string => {
      const rest = ` ${key}=${value}\n`;
      return `${Buffer.byteLength(rest) + 2}${rest}`;
    };
    const file = packTar([{ path: 'p/own', data: Buffer.from('abc') }]);
    const pathBehind = (...parts: readonly Buffer[]): string | undefined =>
      [...readTar(Buffer.concat([...parts, file]))][0]?.path;

    test('sets the path: the first pax record wins, and a GNU long name wins over pax', () => {
      const both = extension('x', record('path', 'p/first') + record('path', 'p/other'));
      expect(pathBehind(both)).toBe('p/first');
      expect(pathBehind(extension('L', 'p/long\0'), both)).toBe('p/long');
      expect(pathBehind(both, extension('L', 'p/long'))).toBe('p/long');
    });

    test('may contain malformed records, which are skipped, up to an empty line', () => {
      expect(pathBehind(extension('x', `5 a=bc\nnothing\n${record('path', 'p/named')}`))).toBe('p/named');
      expect(pathBehind(extension('x', `\n${record('path', 'p/named')}`))).toBe('p/own');
      expect(pathBehind(extension('x', record('path', 'p/a\nb')))).toBe('p/own');
    });

    test('sets the size only if no malformed record comes first', () => {
      const sized = (records: string): number | undefined =>
        [...readTar(Buffer.concat([extension('x', records), file]))][0]?.size;
      expect(sized(`${record('size', '2')}nothing\n`)).toBe(2);
      expect(sized(`nothing\n${record('size', '2')}`)).toBe(3);
    });

    test.each([
      ['two long names', [extension('L', 'p/a'), extension('L', 'p/b'), file], 'two long name entries'],
      ['two sets of records', [extension('x', ''), extension('x', ''), file], 'two pax extensions entries'],
      ['nothing behind it', [extension('L', 'p/a'), Buffer.alloc(1024)], 'no future member found'],
      ['an end in the middle of it', [extension('L', 'p/a').subarray(0, 514)], 'unexpected EOF during skip'],
    ])('makes readTar throw for %s', (_, parts, message) =>
      expect(() => [...readTar(Buffer.concat(parts))]).toThrow(message),
    );

    test('has no effect without the ustar magic', () => {
      const old = Buffer.from(extension('L', 'p/long\0'));
      old.fill(0, 257, 265);
      fixSum(old);
      expect(pathBehind(old)).toBe('p/own');
    });

    test('survives reuse of the input buffer', () => {
      const tar = Buffer.concat([extension('x', record('path', 'p/named')), file]);
      const memory = Buffer.alloc(512);
      function* parts(): Generator<Uint8Array, boolean, undefined> {
        for (let at = 0; at < tar.length; at += 512) {
          tar.copy(memory, 0, at);
          yield memory;
        }
        return false;
      }
      expect(readTarInParts(parts()).next().value?.path).toBe('p/named');
    });
  });

  test('uses defaults for an invalid mode or time, but throws for an invalid size', () => {
    const bare = packTar([{ path: 'p/a', data: Buffer.alloc(0) }]);
    bare.fill(0, 100, 108);
    bare.write('yesterday', 136);
    fixSum(bare);
    expect([...readTar(bare)][0]).toMatchObject({ mode: 0o666, mtime: null });
    bare.fill(0, 124, 136);
    fixSum(bare);
    expect(() => [...readTar(bare)]).toThrow('numeric field was not a number:  when getting size for p/a');
  });

  test.each([
    ['a wrong checksum', (tar: Buffer) => tar.writeUInt8(0x58, 0), 'archive header checksum mismatch'],
    [
      'a checksum that is no number',
      (tar: Buffer) => tar.write('9', 148),
      'numeric field was not a number: 9',
    ],
  ])('throws for %s', (_, spoil, message) => {
    const archive = packTar([{ path: 'p/a', data: Buffer.alloc(0) }]);
    spoil(archive);
    expect(() => [...readTar(archive)]).toThrow(message);
  });

  test('throws for an archive that is cut in a header or in a file', () => {
    const archive = packTar([{ path: 'p/a', data: Buffer.alloc(1000, 1) }]);
    expect(() => [...readTar(archive.subarray(0, 300))]).toThrow('failed to read entire block');
    const entries = readTar(archive.subarray(0, 1000));
    const entry = entries.next().value;
    expect([entry?.size, entry?.data.length]).toEqual([1000, 488]);
    expect(() => entries.next()).toThrow('unexpected EOF during skip');
  });

  test('yields entries or an archive error whichever byte is damaged', () => {
    const archive = packTar([{ path: 'p/a', data: Buffer.alloc(600, 1) }]);
    fc.assert(
      fc.property(fc.nat(archive.length - 1), fc.nat(255), (at, byte) => {
        const spoiled = Buffer.from(archive);
        spoiled[at] = byte;
        try {
          expect([...readTar(spoiled)].length).toBeLessThan(5);
        } catch (error) {
          expect(error).toMatchObject({ code: 'archive' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('inflateGzip', () => {
  const data = Buffer.from('hello '.repeat(1000));
  const packed = gzipSync(data);

  test('restores the packed data with and without optional header fields', () => {
    expect(inflateGzip(packed, 10_000)).toEqual({ data, complete: true });
    const named = Buffer.concat([
      packed.subarray(0, 3),
      Buffer.of(8 | 4),
      packed.subarray(4, 10),
      Buffer.of(2, 0, 1, 2),
      Buffer.from('name\0'),
      packed.subarray(10),
    ]);
    expect(inflateGzip(named, 10_000).data).toEqual(data);
  });

  test('returns the readable part of a cut file', () => {
    const { data: part, complete } = inflateGzip(packed.subarray(0, packed.length - 12), 10_000);
    expect(complete).toBe(false);
    expect(data.subarray(0, part.length)).toEqual(part);
  });

  test.each([
    ['not gzip', Buffer.from('this is not an archive'), 'invalid gzip header'],
    ['nothing', Buffer.alloc(0), 'unexpected end of file'],
    ['less than a header, whatever it is', Buffer.from('not gzip!'), 'unexpected end of file'],
    [
      'a header with a flag that means nothing',
      Buffer.from('1f8b0880000000000003', 'hex'),
      'invalid gzip header',
    ],
    [
      'a header whose checksum is wrong',
      Buffer.from('1f8b08020000000000030000', 'hex'),
      'corrupt gzip stream does not have a matching checksum',
    ],
    ['garbage', Buffer.concat([packed.subarray(0, 10), Buffer.alloc(50, 0xff)]), 'corrupt deflate stream'],
    [
      'a name without end',
      Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0), Buffer.from('abc')]),
      'unexpected end of file',
    ],
  ])('throws for %s', (_, bytes, message) => expect(() => inflateGzip(bytes, 10_000)).toThrow(message));

  test('throws once the output exceeds the limit', () => {
    expect(() => inflateGzip(gzipSync(Buffer.alloc(10_000_000)), 1_000_000)).toThrow(
      'maximum limit reached when reading',
    );
  });
});

function retype(archive: Buffer, type: string): void {
  archive.write(type, 156);
  fixSum(archive);
}

function fixSum(archive: Buffer): void {
  archive.write('        ', 148);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
}
