/** Files of a cache: each appears whole, none is needed, and old ones go. Nothing here can fail a run. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

/** The content of a file, which counts as used; null if there is none that can be read. */
export function readCacheFile(path: string): Buffer | null {
  // To fail to open a file takes ten times as long as to ask.
  if (!existsSync(path)) return null;
  try {
    const content = readFileSync(path);
    markAsUsed(path);
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
    writeFileSync(temporary, content, { mode: 0o600 });
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
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .flatMap((path) => {
        const stats = statsOrNull(path);
        return stats?.isFile() === true && path !== mark
          ? [{ path, usedMs: stats.mtimeMs, size: stats.size }]
          : [];
      })
      .sort((a, b) => b.usedMs - a.usedMs);
    let total = 0;
    for (const { path, usedMs, size } of files) {
      total += size;
      if (total > MAX_TOTAL_BYTES || now - usedMs > MAX_AGE_MS) removeQuietly(path);
    }
  } catch {
    // A folder that cannot be changed cannot grow either.
  }
}

/** Sets the modification time of a file that was used, once a day. */
function markAsUsed(path: string): void {
  const now = Date.now();
  if (now - (statsOrNull(path)?.mtimeMs ?? now) < DAY_MS) return;
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
