/** Orders and parts of lists of keywords and categories. */
import type { TagCount } from './browse-records.ts';
import type { Page, PageRequest } from './values.ts';

/** Sorts tags by the number of their crates, then by name. `tags` are sorted by name. */
export function mostUsedFirst(tags: readonly TagCount[]): readonly TagCount[] {
  return tags.toSorted((a, b) => b.crates - a.crates);
}

/** Returns a part of the tags. */
export function pageOfTags(tags: readonly TagCount[], { limit, offset }: PageRequest): Page<TagCount> {
  return { items: tags.slice(offset, offset + limit), total: tags.length };
}
