import type { FileHandle } from 'node:fs/promises';
import { TsregError } from '../../core/errors/error.ts';

/** Returns the first `size` bytes of an open file, in memory that nothing else uses. */
export async function readWhole(file: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  for (let offset = 0; offset < size; ) {
    const { bytesRead } = await file.read(bytes, offset, size - offset, offset);
    if (bytesRead === 0) throw new TsregError('a temporary file was cut off', { code: 'io' });
    offset += bytesRead;
  }
  return bytes;
}
