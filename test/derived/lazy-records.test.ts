import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamagedRecordError } from '../../src/derived/damaged-record-error.ts';
import { KeptText } from '../../src/derived/kept-text.ts';
import { LazyRecords } from '../../src/derived/lazy-records.ts';
import { type RecordFile, RecordInMemory } from '../../src/derived/record-file.ts';
import { type MirroredFile, openMirroredFile, writeMirroredFile } from '../../src/disk/mirrored-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lazy-records-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function mirrored(content: Uint8Array): MirroredFile {
  const path = join(folder, 'file');
  writeMirroredFile(path, content);
  const file = openMirroredFile(path);
  if (file === null) throw new Error('does not open');
  return file;
}

const content = Uint8Array.from({ length: 150_000 }, (_, i) => (i * 7) ^ (i >> 8));

/** What a text gives to who takes it part by part. */
function written(text: KeptText, from: number, to: number): Uint8Array {
  const parts: Uint8Array[] = [];
  text.write(from, to, (part) => parts.push(Uint8Array.from(Buffer.from(part))));
  return Uint8Array.from(Buffer.concat(parts));
}

test.each<[string, () => RecordFile]>([
  ['a file', () => new LazyRecords().open(mirrored(content))],
  ['memory', () => new RecordInMemory(Buffer.concat([Buffer.from('.'), content]).subarray(1))],
])('a text in %s is what was written, however it is asked for', (_, open) => {
  const file = open();
  const places = fc.array(fc.tuple(fc.nat(100_000), fc.nat(50_000)), { maxLength: 10 });
  fc.assert(
    fc.property(fc.nat(1000), places, fc.nat(10), (start, ranges, wholeAt) => {
      const text = new KeptText(file, start, content.length - start);
      const wanted = content.subarray(start);
      for (const [index, [from, length]] of ranges.entries()) {
        const to = Math.min(from + length, wanted.length);
        if (index === wholeAt)
          expect(Buffer.compare(text.slice(from, to), wanted.subarray(from, to))).toBe(0);
        expect(Buffer.compare(written(text, from, to), wanted.subarray(from, to))).toBe(0);
      }
      expect(text.equals(wanted)).toBe(true);
      expect(text.equals(wanted.subarray(1))).toBe(false);
      expect(text.equals(Buffer.concat([wanted, Buffer.of(0)]))).toBe(false);
      expect(text.equals(wanted.map((byte, i) => (i === 120_000 ? byte ^ 1 : byte)))).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test('no text goes beyond its end', () => {
  const text = new KeptText(new RecordInMemory(content), 8, 100);
  for (const [from, to] of [
    [-1, 5],
    [5, 4],
    [90, 101],
    [101, 101],
  ] as const) {
    expect(() => text.slice(from, to)).toThrow(DamagedRecordError);
    expect(() => text.write(from, to, () => {})).toThrow(DamagedRecordError);
  }
});

test('a piece that could not be read is no better the next time', () => {
  const record = new LazyRecords().open(mirrored(content));
  expect(record.glimpse(0, 8).length).toBe(8);
  truncateSync(join(folder, 'file'), 1000);
  for (let i = 0; i < 2; i += 1) expect(() => record.glimpse(90_000, 90_010)).toThrow(DamagedRecordError);
});

test('memory is given to others when all are closed, and not before', () => {
  const records = new LazyRecords();
  const [one, other] = [records.open(mirrored(content)), records.open(mirrored(content))];
  const first = one.bytes(8, 800);
  expect(first.byteOffset % 8).toBe(0);
  expect(other.bytes(8, 800).buffer).not.toBe(first.buffer);
  // V8 does not count it, so that it does not look for garbage because of it.
  expect(first.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(one.glimpse(0, 8).length).toBe(8);
  records.closeAll();
  const again = records.open(mirrored(content));
  expect([again.bytes(8, 800).buffer, again.bytes(8, 800).buffer]).toContain(first.buffer);
  expect(() => one.bytes(0, 8)).toThrow(DamagedRecordError);
  expect(() => one.glimpse(0, 8)).toThrow(DamagedRecordError);
});
