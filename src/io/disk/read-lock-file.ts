/** Reads `Cargo.lock`. Cargo Book: Cargo.toml vs Cargo.lock. */
import { readFileSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { inputRecorder } from './input-recorder.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Errors that mean that the file does not exist. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/**
 * Returns the text of a lock file; null if it does not exist, its folder is a file, or its links form a cycle. Throws
 * `lockfile` if it is not UTF-8, and `io` for other failures.
 */
export function readLockFile(path: string): string | null {
  const bytes = readOrNull(path);
  inputRecorder()?.content(path, bytes);
  if (bytes === null) return null;
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new TsregError(`failed to read file: ${path}`, {
      cause: new TsregError('stream did not contain valid UTF-8', { code: 'lockfile' }),
    });
  }
}

/** Throws `io`, in cargo's words, if an existing file cannot be read. */
function readOrNull(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (NOT_THERE.has(errnoOf(error) ?? '')) return null;
    // A folder can be opened, but not read.
    const action = errnoOf(error) === 'EISDIR' ? 'read file' : 'open';
    throw new TsregError(`failed to ${action}: ${path}`, { cause: osError(error) });
  }
}
