/** Files of a cache: each appears whole, none is needed, and old ones go. Nothing here can fail a run. */
import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../disk/make-folders.ts';
import { statsOrNull } from '../disk/stats.ts';
import { temporarySuffix } from '../disk/temporary-suffix.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries that were not used for this long are removed. */
const MAX_AGE_MS = 30 * DAY_MS;
/** The entries used longest ago are removed until the rest is no larger. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** The modification time of this file says when the cache was last trimmed. */
const TRIM_MARK = 'trimmed';
/** Names of `hashText`, and what they have while they are written. */
const CACHE_FILE = /^[0-9a-f]{8}(?:\.[\w.]+\.tmp)?$/;

/** The content of a file, which counts as used; null if there is none that can be read, or something else in its place. */
export function readCacheFile(path: string): Buffer | null {
  // To fail to open a file takes ten times as long as to ask; to open a pipe waits for who writes into it.
  const stats = statsOrNull(path);
  if (stats?.isFile() !== true || stats.size > MAX_TOTAL_BYTES) return null;
  try {
    const content = readFileSync(path);
    markAsUsed(path, stats.mtimeMs);
    return content;
  } catch {
    return null;
  }
}

/** Stores a file whole or not at all; of two writers the last wins. Only its owner may read it. */
export function writeCacheFile(path: string, content: Uint8Array): void {
  const temporary = `${path}${temporarySuffix()}`;
  try {
    makeFolders(dirname(path));
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    removeQuietly(temporary);
  }
}

/** Removes what is old or too much from a folder of cache files, once a day. */
export function trimCache(folder: string): void {
  const mark = join(folder, TRIM_MARK);
  const now = Date.now();
  try {
    if (now - (statsOrNull(mark)?.mtimeMs ?? 0) < DAY_MS) return;
    writeFileSync(mark, '');
    const files = cacheFilesIn(folder).sort((a, b) => b.usedMs - a.usedMs);
    let total = 0;
    for (const { path, usedMs, size } of files) {
      total += size;
      if (total > MAX_TOTAL_BYTES || now - usedMs > MAX_AGE_MS) removeQuietly(path);
    }
  } catch {
    // A folder that cannot be changed cannot grow either.
  }
}

interface UsedFile {
  readonly path: string;
  readonly usedMs: number;
  readonly size: number;
}

/** Files that this program has written, or began to write, one folder below `folder`. Links are not followed. */
function cacheFilesIn(folder: string): UsedFile[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  const files = folders.flatMap(({ name }) => readdirSync(join(folder, name), { withFileTypes: true }));
  return files.flatMap((each) => {
    const path = join(each.parentPath, each.name);
    const stats = each.isFile() && CACHE_FILE.test(each.name) ? statsOrNull(path) : null;
    return stats === null ? [] : [{ path, usedMs: stats.mtimeMs, size: stats.size }];
  });
}

/** Sets the modification time of a file that was used, once a day. */
function markAsUsed(path: string, usedMs: number): void {
  const now = Date.now();
  if (now - usedMs < DAY_MS) return;
  try {
    utimesSync(path, now / 1000, now / 1000);
  } catch {
    // It can be read, but not changed.
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays; nothing depends on it.
  }
}
