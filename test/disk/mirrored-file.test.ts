import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readMirroredFile, writeMirroredFile } from '../../src/disk/mirrored-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirrored-file-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([0, 1, 9, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 400_000])(
  'gives back %i bytes as they were written',
  (length) => {
    const content = Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7) ^ (i >> 8)));
    writeMirroredFile(path, content);
    expect(readMirroredFile(path)?.content.equals(content)).toBe(true);
    expect(readMirroredFile(path)?.content.byteOffset).toBe(0);
    expect(readMirroredFile(path)?.modifiedMs).toBe(statSync(path).mtimeMs);
    // A program that runs for long has it counted by V8, which sees to it that it does not add up.
    expect(readMirroredFile(path)?.content.buffer).toBeInstanceOf(ArrayBuffer);
  },
);

test('reads nothing of a file of which any byte is another, wherever it is cut or goes on', () => {
  writeMirroredFile(path, Buffer.from('some content'));
  const whole = readFileSync(path);
  for (let i = 0; i < whole.length; i += 1) {
    for (const mask of [1, 0x80, 0xff]) {
      const damaged = Uint8Array.from(whole);
      damaged[i]! ^= mask;
      writeFileSync(path, damaged);
      expect(readMirroredFile(path), `byte ${i}`).toBeNull();
    }
    if (i === 0) continue;
    writeFileSync(path, whole.subarray(0, i));
    expect(readMirroredFile(path), `cut at ${i}`).toBeNull();
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.from('xx')]));
  expect(readMirroredFile(path)).toBeNull();
});

test('puts a file in the place of a longer one', () => {
  writeMirroredFile(path, Buffer.from('something longer'));
  writeMirroredFile(path, Buffer.from('short'));
  expect(readMirroredFile(path)?.content.toString()).toBe('short');
});

test('throws where there is no file', () => {
  expect(() => readMirroredFile(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(() => readMirroredFile(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
});
