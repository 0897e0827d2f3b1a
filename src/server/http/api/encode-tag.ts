/** Keywords and categories in responses, as on crates.io. */
import type { TagCount } from '../../store/browse-records.ts';

/** Returns a keyword for a response. */
export function encodeKeyword({ name, crates, createdAtMs }: TagCount): object {
  return { id: name, keyword: name, created_at: timeOf(createdAtMs), crates_cnt: crates };
}

/** Returns a category for a response. */
export function encodeCategory({ name: slug, crates, createdAtMs }: TagCount): object {
  return {
    id: slug,
    slug,
    category: categoryName(slug),
    description: '',
    created_at: timeOf(createdAtMs),
    crates_cnt: crates,
  };
}

/** Returns the name of a category, such as `Procedural macro helpers`. */
function categoryName(slug: string): string {
  const words = slug.slice(slug.lastIndexOf(':') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a time for a response, as RFC 3339 writes it. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
