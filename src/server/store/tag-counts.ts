/** Orders, parts and levels of lists of keywords and categories. */
import type { TagCount } from './browse-records.ts';
import type { Page, PageRequest } from './values.ts';

/**
 * Sorts tags by the number of their crates, then by name. `tags` must be sorted by name, because the sort is stable.
 */
export function mostUsedFirst(tags: readonly TagCount[]): readonly TagCount[] {
  return tags.toSorted((a, b) => b.crates - a.crates);
}

/** Returns a part of the tags. */
export function pageOfTags(tags: readonly TagCount[], { limit, offset }: PageRequest): Page<TagCount> {
  return { items: tags.slice(offset, offset + limit), total: tags.length };
}

/** Returns the categories without a parent. */
export function firstLevel(categories: readonly TagCount[]): readonly TagCount[] {
  return categories.filter(({ name }) => parentCategory(name) === null);
}

/** Returns `a::b` for `a::b::c`; null for a category of the first level. */
export function parentCategory(slug: string): string | null {
  const end = slug.lastIndexOf('::');
  return end === -1 ? null : slug.slice(0, end);
}
