import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type * as nodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeCacheDirectory } from '../../../src/io/disk/cache-directory-tag.ts';

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof nodeFs>();
  return { ...fs, writeFileSync: vi.fn(fs.writeFileSync) };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-cache-directory-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('makeCacheDirectory never leaves a temporary entry beside the folder', () => {
  const package_ = join(folder, 'package');
  let seen: readonly string[] = [];
  vi.mocked(writeFileSync).mockImplementationOnce(() => {
    seen = readdirSync(package_);
  });
  makeCacheDirectory(join(package_, 'target'));
  expect(seen).toEqual(['target']);
});

test('makeCacheDirectory tags only a folder that it creates, and fails below a file', () => {
  const target = join(folder, 'target');
  makeCacheDirectory(target);
  rmSync(join(target, 'CACHEDIR.TAG'));
  makeCacheDirectory(target);
  expect(existsSync(join(target, 'CACHEDIR.TAG'))).toBe(false);
  writeFileSync(join(folder, 'file'), '');
  makeCacheDirectory(join(folder, 'file'));
  expect(() => makeCacheDirectory(join(folder, 'file', 'below'))).toThrow('failed to create directory');
});
