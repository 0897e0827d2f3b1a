/** Reads rows of the cache of upstreams, which is in the tables `pulled_index_files` and `pulled_archives`. */
import type { MirroredArchive, MirroredFileName, MirroredIndexState } from '../store/upstream-records.ts';
import { integer, optionalInteger, optionalText, text } from './row.ts';
import type { SqlRow } from './sql-work.ts';

/** Reads the name of an index file from its row. */
export function asFileName(row: SqlRow): MirroredFileName {
  return { upstream: text(row, 'upstream'), lowerCaseName: text(row, 'lower_case_name') };
}

/** Reads the state of an index file from its row. */
export function asIndexState(row: SqlRow): MirroredIndexState {
  return {
    ...asFileName(row),
    size: optionalInteger(row, 'size'),
    etag: text(row, 'etag'),
    upstreamEtag: optionalText(row, 'upstream_etag'),
    upstreamModified: optionalText(row, 'upstream_modified'),
    changedAtMs: integer(row, 'changed_at'),
    checkedAtMs: integer(row, 'checked_at'),
  };
}

/** Reads an archive from its row. */
export function asArchive(row: SqlRow): MirroredArchive {
  return {
    checksum: text(row, 'checksum'),
    size: integer(row, 'size'),
    blobKey: text(row, 'blob_key'),
    mirroredAtMs: integer(row, 'pulled_at'),
    usedAtMs: integer(row, 'used_at'),
  };
}
