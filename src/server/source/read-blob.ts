import type { Blobs } from '../store/blobs.ts';
import type { DownloadableVersion } from '../store/values.ts';

/**
 * Reads the `.crate` of a version into memory that nothing else uses. Returns null if it is missing or has the wrong
 * size. Stops and throws when `signal` is aborted.
 */
export async function readBlob(
  blobs: Blobs,
  { blobKey, size }: DownloadableVersion,
  { signal }: { readonly signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer> | null> {
  signal.throwIfAborted();
  const blob = await blobs.open(blobKey);
  if (blob === null) return null;
  if (blob.size !== size) {
    await blob.stream.cancel();
    return null;
  }
  return readBytes(blob.stream, size, signal);
}

/**
 * Returns the bytes of `stream`; null if there are not exactly `size`. Cancels `stream` and throws when `signal` is
 * aborted, also while it stalls.
 */
async function readBytes(
  stream: ReadableStream<Uint8Array>,
  size: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    const bytes = new Uint8Array(size);
    let offset = 0;
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return offset === size ? bytes : null;
      if (offset + value.length > size) return null;
      bytes.set(value, offset);
      offset += value.length;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    // Without effect at the end of the stream.
    cancel();
  }
}
