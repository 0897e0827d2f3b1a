import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMirroredFile, writeMirroredFile } from '../../src/disk/mirrored-file.ts';
import { onWindows } from '../helpers/system.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mirrored-file-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** All that a file holds. */
function readMirroredFile(place: string): Buffer | null {
  const file = openMirroredFile(place);
  if (file === null) return null;
  const content = Buffer.alloc(file.length);
  file.fill(content, 0);
  file.close();
  return content;
}

test.each([0, 1, 9, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 400_000])(
  'gives back %i bytes as they were written',
  (length) => {
    const content = Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7) ^ (i >> 8)));
    writeMirroredFile(path, content);
    expect(readMirroredFile(path)?.equals(content)).toBe(true);
    const file = openMirroredFile(path);
    expect(file?.modifiedMs).toBe(statSync(path).mtimeMs);
    const from = length >> 1;
    const end = Buffer.alloc(length - from);
    file?.fill(end, from);
    expect(end.equals(content.subarray(from))).toBe(true);
    file?.close();
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

test.skipIf(onWindows)('does not wait for what a pipe may bring (not on Windows)', () => {
  execFileSync('mkfifo', [path]);
  const writer = spawn('/bin/sh', ['-c', 'sleep 4; : > "$0"', path]);
  const begun = performance.now();
  openMirroredFile(path)?.close();
  expect(performance.now() - begun).toBeLessThan(3000);
  writer.kill();
});

test('puts a file in the place of a longer one', () => {
  writeMirroredFile(path, Buffer.from('something longer'));
  writeMirroredFile(path, Buffer.from('short'));
  expect(readMirroredFile(path)?.toString()).toBe('short');
});

test('throws where there is no file', () => {
  expect(() => readMirroredFile(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(() => readMirroredFile(folder)).toThrow(expect.objectContaining({ code: 'EISDIR' }));
});

test('says so where it is cut short while it is open', () => {
  writeMirroredFile(path, Buffer.from('some content'));
  const file = openMirroredFile(path);
  writeFileSync(path, 'some');
  expect(() => file?.fill(Buffer.alloc(12), 0)).toThrow(path);
  file?.close();
});
