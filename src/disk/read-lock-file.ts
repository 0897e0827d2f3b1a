/** `Cargo.lock` as it is on disk. Cargo Book: Cargo.toml vs Cargo.lock. */
import { readFileSync } from 'node:fs';
import { TsregError } from '../errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { inputRecorder } from './input-recorder.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What nothing is found with. */
const NOT_THERE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The text of a lock file; null if there is none, a file in the place of its folder, or links that lead in a circle. */
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

function readOrNull(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (NOT_THERE.has(errnoOf(error) ?? '')) return null;
    // A folder can be opened, and not read.
    const action = errnoOf(error) === 'EISDIR' ? 'read file' : 'open';
    throw new TsregError(`failed to ${action}: ${path}`, { cause: osError(error) });
  }
}
