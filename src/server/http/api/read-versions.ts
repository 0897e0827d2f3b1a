/** Reads many versions of a crate within bounds. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerContext } from '../../server-context.ts';
import type { VersionListRequest } from '../../store/crate-records.ts';
import { encodeVersion } from './encode-version.ts';

/** Versions that are in memory at a time. */
const BATCH_SIZE = 50;
/** Maximum characters of the versions in a response. The last batch may exceed it. */
const MAX_CHARS = 4_000_000;

/** A part of the versions of a crate. */
export interface VersionPart {
  /** As in responses. */
  readonly versions: readonly object[];
  readonly versionIds: readonly number[];
  /** Number of versions of the crate. */
  readonly total: number;
  /** The offset of the next part; null if this is the last one. */
  readonly nextOffset: number | null;
}

/** Reads versions for a response: fewer than requested if they are large. */
export async function readVersions(
  { records, settings }: ServerContext,
  crate: string,
  { limit, offset, order }: VersionListRequest,
): Promise<VersionPart> {
  /** By ID: a version that is published meanwhile moves the others. */
  const versions = new Map<number, object>();
  let position = offset;
  let chars = 0;
  for (;;) {
    const { items, total } = await records.listVersions(crate, {
      limit: Math.min(BATCH_SIZE, offset + limit - position),
      offset: position,
      ...(order === undefined ? {} : { order }),
    });
    position += items.length;
    for (const item of items) {
      const encoded = encodeVersion(item, settings.baseUrl);
      versions.set(item.id, encoded);
      chars += JSON.stringify(encoded).length;
    }
    const isLast = items.length === 0 || position >= total;
    if (!isLast && position < offset + limit && chars <= MAX_CHARS) {
      // Each batch sorts all versions. Other requests must not wait for all batches.
      await nextTurn();
      continue;
    }
    return {
      versions: [...versions.values()],
      versionIds: [...versions.keys()],
      total,
      nextOffset: isLast ? null : position,
    };
  }
}
