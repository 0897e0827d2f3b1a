/** Conditional requests: `If-None-Match`, `If-Modified-Since`. RFC 9110, section 13. */

/** Values that identify a state of a file. */
export interface Validators {
  /** Including the quotes. */
  readonly etag: string;
  /** Value of `Last-Modified`; null if the response has none. */
  readonly modified: string | null;
}

/** Suffix of the `ETag` of a compressed response, whose bytes differ. */
const COMPRESSED = '-gzip';

/** Returns the `ETag` of the compressed form of a file. */
export function compressedEtag(etag: string): string {
  return etag.replace(/"$/, `${COMPRESSED}"`);
}

/**
 * Returns true if the client that sent `headers` has the current state of the file, compressed or not. Without
 * `If-None-Match`, the client must send the exact `Last-Modified`: other times are not those of a state.
 */
export function isUnchanged(
  headers: { readonly ifNoneMatch: string | null; readonly ifModifiedSince: string | null },
  { etag, modified }: Validators,
): boolean {
  const { ifNoneMatch, ifModifiedSince } = headers;
  if (ifNoneMatch !== null) return matchesEtag(ifNoneMatch, etag);
  return modified !== null && ifModifiedSince === modified;
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
 * Returns the value of `Last-Modified`: the first whole second after the change. Returns null until that is over: the
 * file may change again until then.
 */
export function lastModified(changedAtMs: number, nowMs: number): string | null {
  const modifiedMs = Math.ceil(changedAtMs / 1000) * 1000;
  return modifiedMs < nowMs ? new Date(modifiedMs).toUTCString() : null;
}
