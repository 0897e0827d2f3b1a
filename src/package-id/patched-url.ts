/** What the key of a `[patch]` table stands for. Cargo Book: Overriding Dependencies, The `[patch]` section. */
import type { SourceId } from './source-id.ts';
import { formatIndexUrl } from './source-url.ts';
import { canonicalizeUrl, parseUrl } from './url.ts';

/** A source by its URL alone: as in cargo, a patch does not have a say in how the URL of a source is spelled. */
export interface PatchedUrl {
  /** Normalised; that of a sparse index with `sparse+`. */
  readonly url: string;
  /** As that of a source. */
  readonly canonicalUrl: string;
}

/** The source at a URL as it is written. Throws where it cannot be that of a source. */
export function parsePatchedUrl(text: string): PatchedUrl {
  const url = parseUrl(text);
  return { url, canonicalUrl: canonicalizeUrl(url) };
}

/** The URL of a source that is known. */
export function patchedUrlOf(source: SourceId): PatchedUrl {
  return { url: formatIndexUrl(source), canonicalUrl: source.canonicalUrl };
}
