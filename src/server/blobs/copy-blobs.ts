import { TsregError } from '../../core/errors/error.ts';
import type { Blobs } from '../store/blobs.ts';
import type { StoredVersion } from '../store/crate-records.ts';

/** Options of a copy. */
export interface CopyOptions {
  readonly from: Pick<Blobs, 'open'>;
  readonly to: Pick<Blobs, 'stat' | 'restore'>;
  /** Called for each version whose blob is now in `to`. */
  readonly onDone?: (version: StoredVersion) => void;
  readonly signal?: AbortSignal;
}

/** A version whose blob could not be copied. */
export interface LostBlob {
  readonly stored: StoredVersion;
  readonly reason: 'missing' | 'damaged';
}

const MAX_CONCURRENT_COPIES = 8;

/**
 * Copies the blobs of versions, several at a time. Skips those that are there in full length, so it can continue
 * an interrupted copy. Returns the missing and damaged blobs after all others are copied. Throws as the stores do.
 */
export async function copyBlobs(
  versions: AsyncIterable<StoredVersion> | Iterable<StoredVersion>,
  { from, to, onDone, signal }: CopyOptions,
): Promise<readonly LostBlob[]> {
  const lost: LostBlob[] = [];
  const queue = sharedIterator(versions);
  const worker = async (): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const { value: version, done } = await queue.next();
      if (done === true) return;
      const reason = await copyBlob(version, { from, to });
      if (reason === null) onDone?.(version);
      else lost.push({ stored: version, reason });
    }
  };
  const workers = Array.from({ length: MAX_CONCURRENT_COPIES }, worker);
  try {
    await Promise.all(workers);
    return lost;
  } catch (error) {
    // The other workers then stop after their current blob. The caller may close the stores only afterwards.
    await queue.return();
    await Promise.allSettled(workers);
    throw error;
  }
}

/** Copies a blob unless it is there in full length. Returns the reason if it cannot be copied, else null. */
async function copyBlob(
  { blobKey, size }: StoredVersion,
  { from, to }: Pick<CopyOptions, 'from' | 'to'>,
): Promise<LostBlob['reason'] | null> {
  if ((await to.stat(blobKey))?.size === size) return null;
  const blob = await from.open(blobKey);
  if (blob === null) return 'missing';
  try {
    await to.restore(blobKey, blob.stream);
    return null;
  } catch (error) {
    // `restore` may fail before it reads the stream, which would otherwise keep its file or connection open.
    await blob.stream.cancel().catch(() => undefined);
    if (error instanceof TsregError && error.code === 'checksum') return 'damaged';
    throw error;
  }
}

/** Returns an iterator that several workers can share: a generator answers concurrent calls one after the other. */
async function* sharedIterator<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, void> {
  yield* items;
}
