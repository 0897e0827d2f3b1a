import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';
import { replaceFile } from './write-file-atomic.ts';

const PART_BYTES = 256 * 1024;

/**
 * Copies the file `from` to `to` atomically. Creates missing folders. Throws `io`, in cargo's words, with the path that
 * could not be opened or written.
 */
export async function copyFileAtomic(from: string, to: string, signal: AbortSignal): Promise<void> {
  const source = await naming(from, () => open(from, 'r'));
  try {
    await naming(to, () =>
      replaceFile(
        to,
        async (fd) => {
          const part = Buffer.alloc(PART_BYTES);
          for (let at = 0; ; ) {
            signal.throwIfAborted();
            const { bytesRead } = await source.read(part, 0, part.length, at);
            if (bytesRead === 0) return;
            for (let put = 0; put < bytesRead; ) put += writeSync(fd, part, put, bytesRead - put);
            at += bytesRead;
          }
        },
        { durable: false },
      ),
    );
  } finally {
    await source.close();
  }
}

async function naming<T>(path: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    throw new TsregError(`failed to open: ${path}`, { cause: osError(error) });
  }
}
