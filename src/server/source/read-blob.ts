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
  const bytes = new Uint8Array(size);
  let offset = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of blob.stream) {
    signal.throwIfAborted();
    if (offset + chunk.length > size) return null;
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return offset === size ? bytes : null;
}
