/** The keys of `[patch]` tables. Cargo Book: Overriding Dependencies, The `[patch]` section. */
import type { SourceId } from './source-id.ts';
import { formatIndexUrl } from './source-url.ts';
import { canonicalizeUrl, parseUrl } from './url.ts';

/** A source identified by its URL alone. As in cargo, a patch does not decide how the URL of a source is spelled. */
export interface PatchedUrl {
  /** Normalized, with `sparse+` for a sparse index. */
  readonly url: string;
  /** As in `SourceId`. */
  readonly canonicalUrl: string;
}

/** Returns the source with the URL `text`. Throws if no source can have this URL. */
export function parsePatchedUrl(text: string): PatchedUrl {
  const url = parseUrl(text);
  return { url, canonicalUrl: canonicalizeUrl(url) };
}

/** Returns the URL of a source. */
export function patchedUrlOf(source: SourceId): PatchedUrl {
  return { url: formatIndexUrl(source), canonicalUrl: source.canonicalUrl };
}
