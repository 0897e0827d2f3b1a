/**
 * Reads, writes and trims the files of a cache folder, which are all in its subfolders. Each file appears atomically,
 * none is required, and no function here throws.
 */
import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from '../io/disk/make-folders.ts';
import { statsOrNull } from '../io/disk/stats.ts';
import { temporarySuffix } from '../io/disk/temporary-suffix.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries that were unused for this long are removed. */
const MAX_AGE_MS = 30 * DAY_MS;
/** The least recently used entries are removed until the rest is no larger. A larger file is not read. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** The modification time of this file is the time of the last trim. */
const TRIM_MARK = 'trimmed';
/** Names that `hashText` makes, also with a suffix of `temporarySuffix`: a crash may leave such a file behind. */
const CACHE_FILE = /^[0-9a-f]{8}(?:\.[\w.]+\.tmp)?$/;

/** Returns the content of a file and marks it as used; null if it is no regular file, not readable or too large. */
export function readCacheFile(path: string): Buffer | null {
  // `open` takes ten times as long as `stat` to fail. For a pipe it waits for a writer.
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

/**
 * Writes a file atomically, and makes missing folders. Of two writers, the last one wins. Only its owner may read the
 * file. Writes nothing if there is an error.
 */
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

/**
 * Removes files from a cache folder, at most once a day: those that are older than `MAX_AGE_MS`, and the least recently
 * used ones beyond `MAX_TOTAL_BYTES`.
 */
export function trimCache(folder: string): void {
  const mark = join(folder, TRIM_MARK);
  const now = Date.now();
  try {
    if (now - (statsOrNull(mark)?.mtimeMs ?? 0) < DAY_MS) return;
    writeFileSync(mark, '');
    const files = cacheFilesIn(folder).toSorted((a, b) => b.usedMs - a.usedMs);
    let totalBytes = 0;
    for (const { path, usedMs, bytes } of files) {
      totalBytes += bytes;
      if (totalBytes > MAX_TOTAL_BYTES || now - usedMs > MAX_AGE_MS) removeQuietly(path);
    }
  } catch {
    // A folder that cannot be changed does not grow.
  }
}

/** A cache file. */
interface UsedFile {
  readonly path: string;
  /** The time of its last use, which is its modification time, in milliseconds since 1970. */
  readonly usedMs: number;
  readonly bytes: number;
}

/** Returns the files that this program wrote or began to write in the subfolders of `folder`. Does not follow links. */
function cacheFilesIn(folder: string): readonly UsedFile[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const entries = folders.flatMap(({ name }) => readdirSync(join(folder, name), { withFileTypes: true }));
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const stats = entry.isFile() && CACHE_FILE.test(entry.name) ? statsOrNull(path) : null;
    return stats === null ? [] : [{ path, usedMs: stats.mtimeMs, bytes: stats.size }];
  });
}

/** Sets the modification time of a used file to now, at most once a day. `usedMs` is its present modification time. */
function markAsUsed(path: string, usedMs: number): void {
  const now = Date.now();
  if (now - usedMs < DAY_MS) return;
  try {
    utimesSync(path, now / 1000, now / 1000);
  } catch {
    // The file is readable, but not writable.
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file stays. Nothing depends on its removal.
  }
}
