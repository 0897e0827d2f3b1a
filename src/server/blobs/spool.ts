import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectContent } from '../bucket/bucket.ts';

/** What is longer is not kept in memory. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

/**
 * Bytes that come part by part and are needed as a whole, more than once: in memory while they are few, else in a
 * temporary file, which is gone with the process.
 */
export class Spool {
  readonly #hash = createHash('sha256');
  #chunks: Uint8Array[] = [];
  #size = 0;
  #file: { readonly handle: FileHandle; readonly path: string } | null = null;

  /** Adds bytes; `chunk` may be used for others afterwards. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    this.#size += chunk.length;
    if (this.#file === null && this.#size <= MAX_MEMORY_BYTES) {
      this.#chunks.push(Buffer.from(chunk));
      return;
    }
    if (this.#file === null) {
      this.#file = await openTemporary();
      for (const earlier of this.#chunks) await this.#append(this.#file.handle, earlier);
      this.#chunks = [];
    }
    await this.#append(this.#file.handle, chunk);
  }

  /** What was written; to be asked once, and good until `discard`. */
  content(): ObjectContent {
    const sha256 = this.#hash.digest('hex');
    const size = this.#size;
    const file = this.#file;
    if (file === null) {
      const bytes = Buffer.concat(this.#chunks);
      return { size, sha256, open: () => bytes };
    }
    return {
      ...{ size, sha256 },
      open: () => file.handle.createReadStream({ start: 0, end: size - 1, autoClose: false }),
    };
  }

  /** Lets go of everything; may be called again. */
  async discard(): Promise<void> {
    this.#chunks = [];
    const file = this.#file;
    this.#file = null;
    await file?.handle.close();
    if (file !== null) await rm(file.path, { force: true });
  }

  async #append(file: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
  }
}

async function openTemporary(): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  const path = join(tmpdir(), `tsreg-upload-${randomBytes(12).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  // A file without a name needs nobody to remove it; where an open one keeps its name, `discard` does.
  await rm(path, { force: true }).catch(() => undefined);
  return { handle, path };
}
