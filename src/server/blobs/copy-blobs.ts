import { TsregError } from '../../errors/error.ts';
import type { Blobs, StoredVersion } from '../store.ts';

/** From where to where, and what to tell meanwhile. */
export interface CopyOptions {
  readonly from: Pick<Blobs, 'open'>;
  readonly to: Pick<Blobs, 'stat' | 'restore'>;
  /** Told of each version whose blob is there now. */
  readonly onDone?: (version: StoredVersion) => void;
  readonly signal?: AbortSignal;
}

/** A version whose blob could not be copied. */
export interface LostBlob {
  readonly stored: StoredVersion;
  readonly reason: 'missing' | 'damaged';
}

const AT_ONCE = 8;

/**
 * Copies the blobs of versions, some at a time, but for those that are there already: so it goes on where an earlier
 * one was. Returns those whose blob is missing or has other bytes, with which all others are copied. Throws as the
 * stores do.
 */
export async function copyBlobs(
  versions: AsyncIterable<StoredVersion> | Iterable<StoredVersion>,
  { from, to, onDone, signal }: CopyOptions,
): Promise<readonly LostBlob[]> {
  const lost: LostBlob[] = [];
  const rest = inTurn(versions);
  const worker = async (): Promise<void> => {
    for (;;) {
      signal?.throwIfAborted();
      const { value: version, done } = await rest.next();
      if (done === true) return;
      const reason = await copyBlob(version.blobKey, { from, to });
      if (reason === null) onDone?.(version);
      else lost.push({ stored: version, reason });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch(async (error: unknown) => {
    await rest.return();
    throw error;
  });
  return lost;
}

/** Says why a blob cannot be copied; null where it is there now. */
async function copyBlob(
  key: string,
  { from, to }: Pick<CopyOptions, 'from' | 'to'>,
): Promise<LostBlob['reason'] | null> {
  if ((await to.stat(key)) !== null) return null;
  const blob = await from.open(key);
  if (blob === null) return 'missing';
  try {
    await to.restore(key, blob.stream);
    return null;
  } catch (error) {
    if (error instanceof TsregError && error.code === 'checksum') return 'damaged';
    throw error;
  }
}

/** Lets any number ask for the next one. */
async function* inTurn<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, void> {
  yield* items;
}
