/** Conditional requests: `If-None-Match`, `If-Modified-Since`. RFC 9110, section 13. */

/** Values that identify a state of a file. */
export interface Validators {
  /** Including the quotes. */
  readonly etag: string;
  /** null if the file has no modification time. */
  readonly changedAtMs: number | null;
}

/** Suffix of the `ETag` of a compressed response, whose bytes differ. */
const COMPRESSED = '-gzip';

/** Returns the `ETag` of the compressed form of a file. */
export function compressedEtag(etag: string): string {
  return etag.replace(/"$/, `${COMPRESSED}"`);
}

/** Returns true if the client that sent `headers` has the current state of the file, compressed or not. */
export function isUnchanged(
  headers: { readonly ifNoneMatch: string | null; readonly ifModifiedSince: string | null },
  { etag, changedAtMs }: Validators,
): boolean {
  const { ifNoneMatch, ifModifiedSince } = headers;
  if (ifNoneMatch !== null) return matchesEtag(ifNoneMatch, etag);
  if (ifModifiedSince === null || changedAtMs === null) return false;
  const sinceMs = Date.parse(ifModifiedSince);
  return !Number.isNaN(sinceMs) && Math.floor(changedAtMs / 1000) * 1000 <= sinceMs;
}

/** Returns true if `list`, the value of an `If-None-Match`, contains `etag`, its compressed form or `*`. */
export function matchesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  // `If-None-Match` ignores the mark of weak tags. RFC 9110, section 8.8.3.2.
  return list
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === compressedEtag(etag));
}

/**
 * Returns the value of `Last-Modified`; null during the second in which the file changed. The file may change again in
 * that second, and a later request with this time would wrongly get a 304.
 */
export function lastModified(changedAtMs: number, nowMs: number): string | null {
  const second = Math.floor(changedAtMs / 1000);
  return second < Math.floor(nowMs / 1000) ? new Date(second * 1000).toUTCString() : null;
}
