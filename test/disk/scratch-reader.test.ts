import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ScratchReader } from '../../src/disk/scratch-reader.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temporary = makeTempDir('scratch');
const folder = temporary.path;
afterAll(() => temporary.remove());

test('reads files of every size one after the other', () => {
  const reader = new ScratchReader();
  for (const size of [300_000, 0, 1, 262_143, 262_144, 262_145, 1_500_000, 10]) {
    const content = randomBytes(size);
    const path = join(folder, String(size));
    writeFileSync(path, content);
    expect(reader.read(path)?.equals(content)).toBe(true);
  }
});

test('has nothing of what cannot be read', () => {
  const reader = new ScratchReader();
  expect(reader.read(join(folder, 'none'))).toBe(null);
  expect(reader.read(folder)).toBe(null);
});
