/** Requests that ask only for what has changed: `If-None-Match`, `If-Modified-Since`. RFC 9110, section 13. */

/** What identifies a state of a file. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string;
  /** null where the file has no time of its own. */
  readonly changedAtMs: number | null;
}

/** Stands at the end of the tag of a compressed answer, whose bytes differ. */
const COMPRESSED = '-gzip';

/** The tag of the compressed form of a file. */
export function compressedEtag(etag: string): string {
  return etag.replace(/"$/, `${COMPRESSED}"`);
}

/** True if whoever asks with `headers` has the current state of the file, compressed or not. */
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

/** True if `list`, the value of an `If-None-Match`, names `etag`. */
export function matchesEtag(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  return list
    .split(',')
    .map(plain)
    .some((tag) => tag === etag || tag === compressedEtag(etag));
}

/**
 * The value of `Last-Modified`; null while the second has not passed in which the file changed: it may change again
 * in the same second, and whoever asks later by that time would be told that nothing did.
 */
export function lastModified(changedAtMs: number, nowMs: number): string | null {
  const second = Math.floor(changedAtMs / 1000);
  return second < Math.floor(nowMs / 1000) ? new Date(second * 1000).toUTCString() : null;
}
