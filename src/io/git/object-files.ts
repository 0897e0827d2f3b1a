/** Reads files of a repository that git may remove or cut off at any time. */
import { openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';

/** Reads up to `length` bytes from `position`; fewer at the end of the file. */
export function readRange(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** Opens a file for reading; null if it does not exist. The caller must close the descriptor. */
export function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Returns the content of a file; null if it does not exist. */
export function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Returns the names in a folder; none if it does not exist. */
export function listIfThere(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns the error for an object that git could not have written. `what` is an id, a path or a position. */
export function damagedObject(what: string): TsregError {
  return new TsregError(`damaged git object in \`${what}\``, { code: 'git' });
}
