/** The filters in the text of a search: `parser keyword:json category:encoding owner:mira`. */
import type { CrateFilter } from '../store/browse-records.ts';

/** Maximum number of filters in one search. Further ones are ignored. */
const MAX_FILTERS = 5;

/** Parses the text of a search. A filter without a value is ignored, because its user is still typing. */
export function parseSearch(text: string): CrateFilter {
  const words: string[] = [];
  const filters = { keyword: new Set<string>(), category: new Set<string>(), owner: new Set<string>() };
  for (const word of text.split(/\s+/)) {
    const [, name, value = ''] = /^(keyword|category|owner):(.*)$/i.exec(word) ?? [];
    const kind = name?.toLowerCase();
    if (kind !== 'keyword' && kind !== 'category' && kind !== 'owner') words.push(word);
    else if (value !== '' && countOfFilters(filters) < MAX_FILTERS) filters[kind].add(value.toLowerCase());
  }
  return {
    query: words.join(' ').trim(),
    keywords: [...filters.keyword],
    categories: [...filters.category],
    owners: [...filters.owner],
  };
}

/** Returns true if the search has a filter. */
export function hasFilters({ keywords, categories, owners }: CrateFilter): boolean {
  return keywords.length + categories.length + owners.length > 0;
}

function countOfFilters(filters: Readonly<Record<string, ReadonlySet<string>>>): number {
  return Object.values(filters).reduce((count, { size }) => count + size, 0);
}
