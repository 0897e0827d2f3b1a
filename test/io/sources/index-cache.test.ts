import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  decodeIndexCache,
  encodeIndexCache,
  lineText,
  placeInIndexCache,
  readIndexCache,
  splitIndexFile,
} from '../../../src/io/sources/index-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'index-cache-'));
afterAll(() => rmSync(folder, { recursive: true }));

const line = (vers: string, more = '') => `{"name":"a","vers":"${vers}","deps":[]${more}}`;
/** A cache file that cargo wrote. */
const written = Buffer.from(
  `\x03\x02\0\0\0etag: "x1"\x001.0.0\0${line('1.0.0')}\x001.1.0-rc.1+b\0${line('1.1.0-rc.1+b')}\0`,
);

describe('index cache files', () => {
  test('are read as cargo writes them', () => {
    const file = decodeIndexCache(written);
    expect(file?.revision).toBe('etag: "x1"');
    expect(file?.lines.map(({ version }) => version.text)).toEqual(['1.0.0', '1.1.0-rc.1+b']);
    expect(file?.lines.map((entry) => lineText(file, entry))).toEqual([line('1.0.0'), line('1.1.0-rc.1+b')]);
  });

  test('are written as cargo writes them', () => {
    const served = Buffer.from(`${line('1.0.0')}\nnot json\n\n${line('1.1.0-rc.1+b')}`);
    expect(encodeIndexCache(splitIndexFile(served, 'etag: "x1"'))).toEqual(written);
  });

  test('keep all lines of a version, of which the first is found', () => {
    const served = Buffer.from(`${line('1.0.0', ',"x":1')}\n${line('1.0.0', ',"x":2')}\n`);
    const file = splitIndexFile(served, 'Unknown');
    const both = [line('1.0.0', ',"x":1'), line('1.0.0', ',"x":2')];
    expect(file.lines.map((entry) => lineText(file, entry))).toEqual(both);
    const cached = encodeIndexCache(file);
    expect(cached.toString()).toContain(`${both[0]}\0` + `1.0.0\0${both[1]}\0`);
    expect(decodeIndexCache(cached)?.lines).toHaveLength(2);
    const place = placeInIndexCache(cached, '1.0.0');
    expect(cached.toString('utf8', place?.start, place?.end)).toBe(both[0]);
  });

  test.each([
    ['empty', Buffer.alloc(0)],
    ['another format', Buffer.from(`\x02${written.toString('latin1').slice(1)}`, 'latin1')],
    ['another index version', Buffer.from(`\x03\x03${written.toString('latin1').slice(2)}`, 'latin1')],
    ['without an end', Buffer.from('\x03\x02\0\0\0etag')],
    ['all zero', Buffer.alloc(100)],
    ['a version that is none', Buffer.from('\x03\x02\0\0\0Unknown\0x\0{}\0')],
  ])('are ignored if they are invalid: %s', (_, bytes) => expect(decodeIndexCache(bytes)).toBe(null));

  test('are ignored or have only whole lines if they are cut', () => {
    const whole = new Set([line('1.0.0'), line('1.1.0-rc.1+b')]);
    fc.assert(
      fc.property(fc.nat(written.length - 1), (length) => {
        const file = decodeIndexCache(written.subarray(0, length));
        for (const entry of file?.lines ?? []) expect(whole).toContain(lineText(file ?? never(), entry));
      }),
    );
  });
});

describe('placeInIndexCache', () => {
  const find = (bytes: Buffer, version: string): string | null => {
    const place = placeInIndexCache(bytes, version);
    return place === null ? null : bytes.toString('utf8', place.start, place.end);
  };

  test('finds the line of a version', () => {
    expect(find(written, '1.0.0')).toBe(line('1.0.0'));
    expect(find(written, '1.1.0-rc.1+b')).toBe(line('1.1.0-rc.1+b'));
    expect(find(written, '1.1.0-rc.1')).toBe(null);
    expect(find(Buffer.of(), '1.0.0')).toBe(null);
  });

  test('agrees with reading the whole file, for every cut of it', () => {
    const cut = join(folder, 'cut');
    fc.assert(
      fc.property(fc.nat(written.length), (length) => {
        writeFileSync(cut, written.subarray(0, length));
        const found = find(written.subarray(0, length), '1.0.0');
        const file = readIndexCache(cut);
        if (file !== null) {
          const entry = file.lines.find(({ version }) => version.text === '1.0.0');
          expect(found).toBe(entry === undefined ? null : lineText(file, entry));
        } else if (found !== null) {
          expect(found).toBe(line('1.0.0'));
        }
      }),
    );
  });
});

function never(): never {
  throw new Error('unreachable');
}
