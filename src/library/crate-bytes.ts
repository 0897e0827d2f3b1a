/** The bytes of a `.crate`, as callers pass them. */
import { MAX_UNPACKED_BYTES } from '../commands/publish/checks.ts';
import { rejectOnAbort } from '../commands/shared/workspace/operation-signal.ts';
import { TsregError } from '../core/errors/error.ts';

/** The bytes of a file: all at once, or as a stream of parts. */
export type CrateBytes = Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Returns true for `CrateBytes`. The parts of a stream are checked when they are read. */
export function isCrateBytes(value: unknown): boolean {
  return (
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
  );
}

/**
 * Returns all bytes. Rejects with `limit` for a stream that is longer than any archive may be, with `usage` if a part is
 * no `Uint8Array`, with `io` if the stream fails, and with the signal's reason when it is aborted.
 */
export async function readCrateBytes(
  bytes: CrateBytes,
  { signal }: { readonly signal: AbortSignal },
): Promise<Uint8Array> {
  if (bytes instanceof Uint8Array) return bytes;
  const iterator = openStream(bytes);
  // A stream may never yield again, so it cannot be left to notice the signal.
  const aborted = rejectOnAbort(signal);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value: part } = await Promise.race([aborted, nextPart(iterator)]);
      if (done === true) return Buffer.concat(parts);
      if (!(part instanceof Uint8Array)) {
        throw new TsregError('the stream `file` must yield values of `Uint8Array`', { code: 'usage' });
      }
      length += part.length;
      if (length > MAX_UNPACKED_BYTES) {
        throw new TsregError(`the stream \`file\` has more than ${MAX_UNPACKED_BYTES} bytes`, {
          code: 'limit',
        });
      }
      parts.push(part);
    }
  } catch (error) {
    // Not awaited, because a stream may never end.
    cancel(iterator).catch(() => {});
    throw error;
  }
}

/** Starts to read a stream. Throws `io` if it cannot be read, for example because somebody else reads it. */
function openStream(stream: AsyncIterable<unknown>): AsyncIterator<unknown> {
  try {
    return stream[Symbol.asyncIterator]();
  } catch (cause) {
    throw unreadable(cause);
  }
}

async function nextPart(iterator: AsyncIterator<unknown>): Promise<IteratorResult<unknown, unknown>> {
  try {
    return await iterator.next();
  } catch (cause) {
    throw unreadable(cause);
  }
}

async function cancel(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.();
}

function unreadable(cause: unknown): TsregError {
  return new TsregError('failed to read the stream `file`', { code: 'io', cause });
}
