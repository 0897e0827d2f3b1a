/** What this user may do with a folder. */
import { accessSync, constants, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statsOrNull } from './stats.ts';

/** The state of a folder. `not-a-folder`: something else has its path. */
export interface FolderAccess {
  readonly state: 'writable' | 'read-only' | 'missing' | 'not-a-folder';
  /** The user id of the owner if that is another user; null if it is this user, or unknown. */
  readonly foreignOwner: number | null;
}

/** Returns the access to the folder at an absolute path. A missing folder that cannot be created is `read-only`. */
export function folderAccess(path: string): FolderAccess {
  const stats = statsOrNull(path);
  if (stats === null) return { ...missingAccess(path), foreignOwner: null };
  if (!stats.isDirectory()) return { state: 'not-a-folder', foreignOwner: null };
  const user = process.geteuid?.();
  return {
    state: canWrite(path) ? 'writable' : 'read-only',
    foreignOwner: user === undefined || user === stats.uid ? null : stats.uid,
  };
}

/** The mode bits that let the group and all others read. */
const READABLE_BY_OTHERS = 0o044;

/** Returns true if other users may read the file at `path`. False on Windows, where the mode does not show it. */
export function isReadableByOthers(path: string): boolean {
  const stats = statsOrNull(path);
  return process.platform !== 'win32' && stats !== null && (stats.mode & READABLE_BY_OTHERS) !== 0;
}

/** The number of files in a folder, and their total size. */
export interface FolderSize {
  readonly files: number;
  readonly bytes: number;
}

/** Returns the size of all files in the subfolders of `folder`, without those further down; zero if it is missing. */
export function sizeOfSubfolders(folder: string): FolderSize {
  let files = 0;
  let bytes = 0;
  for (const subfolder of namesIn(folder)) {
    for (const name of namesIn(join(folder, subfolder))) {
      const stats = statsOrNull(join(folder, subfolder, name));
      if (stats?.isFile() !== true) continue;
      files += 1;
      bytes += stats.size;
    }
  }
  return { files, bytes };
}

/** Returns the names in a folder; empty if it does not exist or cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the access to a path that does not exist: its nearest existing parent decides. */
function missingAccess(path: string): Pick<FolderAccess, 'state'> {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    const stats = statsOrNull(parent);
    if (stats !== null) return { state: stats.isDirectory() && canWrite(parent) ? 'missing' : 'read-only' };
    if (parent === dirname(parent)) return { state: 'read-only' };
  }
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
