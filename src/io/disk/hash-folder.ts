/** Detects changes in a folder. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '../../core/files/compare-bytes.ts';

/** By absolute path: the hash of a file's content, the target of a link, or a mark for a folder. */
export type FolderState = ReadonlyMap<string, string>;

/** The bytes that are in memory at once. */
const PART_BYTES = 256 * 1024;

/**
 * Reads everything below `folder` (absolute), except its direct entry `ignoredName`. Ignores pipes and devices. Throws
 * Node's errors.
 */
export function hashFolder(folder: string, ignoredName: string): FolderState {
  const state = new Map<string, string>();
  const part = Buffer.alloc(PART_BYTES);
  const pending = [folder];
  for (let current = pending.pop(); current !== undefined; current = pending.pop()) {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      if (current === folder && entry.name === ignoredName) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) {
        state.set(path, 'folder');
        pending.push(path);
      } else if (entry.isSymbolicLink()) state.set(path, `link ${readlinkSync(path)}`);
      else if (entry.isFile()) state.set(path, hashFile(path, part));
    }
  }
  return state;
}

/** The absolute paths that differ; each list is sorted by bytes. */
export interface FolderChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two states of a folder. Returns null if they are equal. */
export function compareFolders(before: FolderState, after: FolderState): FolderChanges | null {
  const changed = pathsWhere(before, (path) => after.has(path) && after.get(path) !== before.get(path));
  const added = pathsWhere(after, (path) => !before.has(path));
  const removed = pathsWhere(before, (path) => !after.has(path));
  return changed.length + added.length + removed.length === 0 ? null : { changed, added, removed };
}

/** Returns the paths that `isWanted`, sorted by bytes. */
function pathsWhere(state: FolderState, isWanted: (path: string) => boolean): readonly string[] {
  return Array.from(state.keys()).filter(isWanted).sort(compareBytes);
}

/** Returns the SHA-256 of a file, in hexadecimal. `part` is memory for reading it. */
function hashFile(path: string, part: Buffer): string {
  const hash = createHash('sha256');
  const fd = openSync(path, 'r');
  try {
    for (;;) {
      const count = readSync(fd, part, 0, part.length, null);
      if (count === 0) return hash.digest('hex');
      hash.update(part.subarray(0, count));
    }
  } finally {
    closeSync(fd);
  }
}
