/** What a folder holds, to see later whether it still does. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes } from '../files/compare-bytes.ts';

/** By absolute path: of files a hash of their content, of links where they lead, of folders that they are there. */
export type FolderState = ReadonlyMap<string, string>;

const PART_BYTES = 256 * 1024;

/** Reads all that is below `folder`, but for an entry of its own by the name `ignored`. Throws as Node does. */
export function hashFolder(folder: string, ignored: string): FolderState {
  const state = new Map<string, string>();
  const part = Buffer.alloc(PART_BYTES);
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (at === folder && entry.name === ignored) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        state.set(path, 'folder');
        pending.push(path);
      } else if (entry.isSymbolicLink()) state.set(path, `link ${readlinkSync(path)}`);
      else if (entry.isFile()) state.set(path, hashFile(path, part));
    }
  }
  return state;
}

/** What is different, each list sorted. */
export interface FolderChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two states of a folder. null if they are equal. */
export function compareFolders(before: FolderState, after: FolderState): FolderChanges | null {
  const paths = (state: FolderState, isWanted: (path: string, hash: string) => boolean): string[] =>
    Array.from(state)
      .filter(([path, hash]) => isWanted(path, hash))
      .map(([path]) => path)
      .sort(compareBytes);
  const changed = paths(before, (path, hash) => after.has(path) && after.get(path) !== hash);
  const added = paths(after, (path) => !before.has(path));
  const removed = paths(before, (path) => !after.has(path));
  return changed.length + added.length + removed.length === 0 ? null : { changed, added, removed };
}

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
