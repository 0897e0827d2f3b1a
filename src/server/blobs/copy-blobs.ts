import type { Blobs, StoredVersion } from '../store.ts';

/** From where to where, and what to tell meanwhile. */
export interface CopyOptions {
  readonly from: Pick<Blobs, 'open'>;
  readonly to: Pick<Blobs, 'stat' | 'restore'>;
  /** Told of each version whose blob is there now. */
  readonly onDone?: (version: StoredVersion) => void;
  readonly signal?: AbortSignal;
}

const AT_ONCE = 8;

/**
 * Copies the blobs of versions, some at a time, but for those that are there already: so it goes on where an earlier
 * one was. Returns versions without a blob. Throws `checksum` for a blob of other bytes, and as the stores do.
 */
export async function copyBlobs(
  versions: AsyncIterable<StoredVersion> | Iterable<StoredVersion>,
  { from, to, onDone, signal }: CopyOptions,
): Promise<readonly StoredVersion[]> {
  const missing: StoredVersion[] = [];
  const rest = inTurn(versions);
  const worker = async (): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const { value: version, done } = await rest.next();
      if (done === true) return;
      if ((await to.stat(version.blobKey)) === null) {
        const blob = await from.open(version.blobKey);
        if (blob === null) {
          missing.push(version);
          continue;
        }
        await to.restore(version.blobKey, blob.stream);
      }
      onDone?.(version);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch(async (error: unknown) => {
    await rest.return();
    throw error;
  });
  return missing;
}

/** Lets any number ask for the next one. */
async function* inTurn<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, void> {
  yield* items;
}
