/** Copies files. */
import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { replaceFile } from './write-file-atomic.ts';

/** The bytes that are in memory at once. */
const PART_BYTES = 256 * 1024;

/**
 * Copies the content of the file `from` to `to`, atomically but without flushing it: a lost copy can be made again.
 * Creates missing folders. Throws `io`, in cargo's words, with the path that could not be opened or written; also with
 * `to` if reading fails. Rejects with the reason of `signal` between two parts.
 */
export async function copyFileAtomic(from: string, to: string, signal: AbortSignal): Promise<void> {
  const source = await withPath(from, () => open(from, 'r'));
  try {
    await withPath(to, () =>
      replaceFile(
        to,
        async (fd) => {
          const part = Buffer.alloc(PART_BYTES);
          for (let position = 0; ; ) {
            signal.throwIfAborted();
            const { bytesRead } = await source.read(part, 0, part.length, position);
            if (bytesRead === 0) return;
            for (let written = 0; written < bytesRead; )
              written += writeSync(fd, part, written, bytesRead - written);
            position += bytesRead;
          }
        },
        { durable: false },
      ),
    );
  } finally {
    await source.close();
  }
}

/** Runs `body`. Throws its operating system errors below one that names `path`. */
async function withPath<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    throw new TsregError(`failed to open: ${path}`, { cause: osError(error) });
  }
}
