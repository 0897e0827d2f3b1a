import {
  chmodSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markCacheDirectory } from '../../../src/io/disk/cache-directory-tag.ts';
import { replaceFile, writeFileAtomic } from '../../../src/io/disk/write-file-atomic.ts';
import { onWindows } from '../../helpers/system.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('writeFileAtomic creates folders and leaves only the file', async () => {
  await writeFileAtomic(join(folder, 'a', 'b', 'file'), 'text');
  expect(readFileSync(join(folder, 'a', 'b', 'file'), 'utf8')).toBe('text');
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file']);
});

test.skipIf(onWindows)(
  'writeFileAtomic keeps the mode and a link to the file (not on Windows: no modes of files)',
  async () => {
    writeFileSync(join(folder, 'real'), 'old');
    chmodSync(join(folder, 'real'), 0o640);
    symlinkSync('real', join(folder, 'link'));
    await writeFileAtomic(join(folder, 'link'), 'new', { durable: false });
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'real')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).toSorted()).toEqual(['link', 'real']);
  },
);

test.skipIf(onWindows)(
  'writeFileAtomic gives a new file the requested mode (not on Windows: no modes of files)',
  async () => {
    await writeFileAtomic(join(folder, 'secret'), 'x', { mode: 0o600 });
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  },
);

test.skipIf(onWindows)(
  'replaceFile keeps a private file private while it replaces it (not on Windows: no modes of files)',
  async () => {
    for (const mode of [0o600, 0o400]) {
      const path = join(folder, `secret-${mode}`);
      writeFileSync(path, 'old', { mode });
      const seen = await replaceFile(path, (fd) => Promise.resolve(fstatSync(fd).mode & 0o077));
      expect(seen).toBe(0);
      expect(statSync(path).mode & 0o777).toBe(mode);
    }
  },
);

test('writeFileAtomic leaves no temporary file after a failure', async () => {
  mkdirSync(join(folder, 'target'));
  await expect(writeFileAtomic(join(folder, 'target'), 'x')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['target']);
});

test('markCacheDirectory writes a valid CACHEDIR.TAG, but overwrites only an empty one', () => {
  const tag = join(folder, 'registry', 'CACHEDIR.TAG');
  for (const killed of [false, true]) {
    if (killed) writeFileSync(tag, '');
    markCacheDirectory(join(folder, 'registry'));
    expect(readFileSync(tag, 'utf8')).toMatch(/^Signature: 8a477f597d28d172789f06886806bc55\n/);
  }
  writeFileSync(tag, 'mine');
  markCacheDirectory(join(folder, 'registry'));
  expect(readFileSync(tag, 'utf8')).toBe('mine');
});
