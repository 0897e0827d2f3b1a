import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TsregError } from '../../core/errors/error.ts';
import type { ObjectContent } from '../bucket/bucket-requests.ts';
import { readWhole } from './read-whole.ts';

/** Longer content is not held in memory. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;
const READ_CHUNK_BYTES = 256 * 1024;

/**
 * A buffer for bytes that arrive in parts and are read as a whole, more than once. It is in memory while they are few,
 * else in a temporary file, which disappears with the process.
 */
export class Spool {
  readonly #hash = createHash('sha256');
  #chunks: Uint8Array[] = [];
  #size = 0;
  #file: { readonly handle: FileHandle; readonly path: string } | null = null;

  /** Adds bytes. The caller may reuse `chunk` afterwards. */
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

  /** Returns the bytes written so far, in memory that nothing else uses. */
  async read(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#file !== null) return await readWhole(this.#file.handle, this.#size);
    const bytes = new Uint8Array(this.#size);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  }

  /** Returns the written bytes, valid until `discard`. Must be called only once. */
  content(): ObjectContent {
    const sha256 = this.#hash.digest('hex');
    const size = this.#size;
    const file = this.#file;
    if (file === null) {
      const bytes = Buffer.concat(this.#chunks);
      return { size, sha256, open: () => bytes };
    }
    return { size, sha256, open: () => Readable.from(readAll(file.handle, size), { objectMode: false }) };
  }

  /** Frees memory and file. May be called again. */
  async discard(): Promise<void> {
    this.#chunks = [];
    const file = this.#file;
    this.#file = null;
    await file?.handle.close();
    if (file !== null) await rm(file.path, { force: true });
  }

  async #append(file: FileHandle, bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length; ) offset += (await file.write(bytes, offset)).bytesWritten;
  }
}

/** Yields the bytes without closing the file. Node's own stream would close it, and a retry could not read it. */
async function* readAll(file: FileHandle, size: number): AsyncGenerator<Uint8Array, void> {
  for (let offset = 0; offset < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, size - offset));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
    if (bytesRead === 0) throw new TsregError('a temporary file was cut off', { code: 'io' });
    offset += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

async function openTemporary(): Promise<{ readonly handle: FileHandle; readonly path: string }> {
  const path = join(tmpdir(), `tsreg-upload-${randomBytes(12).toString('hex')}`);
  const handle = await open(path, 'wx+', 0o600);
  // Nobody has to remove a file without a name. If an open file must keep its name, `discard` removes it.
  await rm(path, { force: true }).catch(() => undefined);
  return { handle, path };
}
