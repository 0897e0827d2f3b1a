/** The filters in the text of a search: `parser keyword:json category:encoding owner:mira license:MIT rust:1.70`. */
import type { CrateFilter } from '../../store/browse-records.ts';
import { type FilterKind, SEARCH_FILTERS } from '../../shared/search-filters.ts';

/** Maximum number of filters in one search. Further ones have no effect. */
export const MAX_FILTERS = 5;

/** A filter, such as `license:mit`. */
interface SearchTerm {
  readonly kind: FilterKind;
  /** In lower case, except for a feature. */
  readonly value: string;
}

/** One to three numbers, with a dot at the end while the user is still typing. Also matches an empty text. */
const RUST_VERSION = /^(\d{1,6}(?:\.\d{1,6}){0,2})?\.?$/;

/** Parses the text of a search. A filter without a value is ignored, because its user is still typing. */
export function parseSearch(text: string): CrateFilter {
  const { words, terms } = readSearch(text);
  const usedTerms = terms.slice(0, MAX_FILTERS);
  const valuesOf = (termKind: SearchTerm['kind']): readonly string[] =>
    usedTerms.filter(({ kind }) => kind === termKind).map(({ value }) => value);
  return {
    query: words.join(' ').trim(),
    keywords: valuesOf('keyword'),
    categories: valuesOf('category'),
    owners: valuesOf('owner'),
    licenses: valuesOf('license'),
    rustVersions: valuesOf('rust'),
    features: valuesOf('feature'),
  };
}

/** Returns the filters after the first `MAX_FILTERS`, such as `license:mit`. */
export function ignoredFilters(text: string): readonly string[] {
  return readSearch(text)
    .terms.slice(MAX_FILTERS)
    .map(({ kind, value }) => `${kind}:${value}`);
}

/** Returns the words in the form of a filter by Rust version whose value is no version, each once: `rust:nightly`. */
export function invalidRustFilters(text: string): readonly string[] {
  const words = text.split(/\s+/).filter((word) => kindOf(word) === 'rust' && parseTerms(word) === null);
  return [...new Set(words)];
}

/**
 * Adds filters to the text of a search, as long as it has at most `maxChars`. Each word of a value becomes a filter,
 * except the operators of a license expression.
 */
export function addFilters(text: string, valueOf: (kind: FilterKind) => string, maxChars: number): string {
  const filters = SEARCH_FILTERS.flatMap(({ kind }) =>
    valueOf(kind)
      .split(/[\s()]+/)
      .filter((word) => word !== '' && !(kind === 'license' && /^(?:and|or)$/i.test(word)))
      .map((word) => `${kind}:${word}`),
  );
  return filters.reduce((query, filter) => {
    const longer = `${query} ${filter}`.trim();
    return longer.length > maxChars ? query : longer;
  }, text);
}

/** Returns true if the search has a filter. */
export function hasFilters(filter: CrateFilter): boolean {
  return Object.values(filter).some((values) => Array.isArray(values) && values.length > 0);
}

/** Separates words from filters, without repeated filters. */
function readSearch(text: string): {
  readonly words: readonly string[];
  readonly terms: readonly SearchTerm[];
} {
  const words: string[] = [];
  const terms: SearchTerm[] = [];
  for (const word of text.split(/\s+/)) {
    const parsed = parseTerms(word);
    if (parsed === null) words.push(word);
    for (const term of parsed ?? []) {
      if (term.value !== '' && !terms.some((other) => isSame(other, term))) terms.push(term);
    }
  }
  return { words, terms };
}

/**
 * Returns the filters in a word; null if it is a word to search for. A filter that the user is still typing is empty.
 */
function parseTerms(word: string): readonly SearchTerm[] | null {
  const kind = kindOf(word);
  if (kind === null) return null;
  const typed = word.slice(kind.length + 1);
  // Only the names of features depend on case.
  const value = kind === 'feature' ? typed : typed.toLowerCase();
  // The old spelling of `MIT OR Apache-2.0` is `MIT/Apache-2.0`: both are terms of the license.
  if (kind === 'license') return value.split('/').map((term) => ({ kind, value: term }));
  if (kind !== 'rust') return [{ kind, value }];
  const version = RUST_VERSION.exec(value);
  return version === null ? null : [{ kind, value: version[1] ?? '' }];
}

/** Returns the kind of the filter that a word has the form of; null for none. */
function kindOf(word: string): FilterKind | null {
  const lower = word.toLowerCase();
  return SEARCH_FILTERS.find(({ kind }) => lower.startsWith(`${kind}:`))?.kind ?? null;
}

function isSame(a: SearchTerm, b: SearchTerm): boolean {
  return a.kind === b.kind && a.value === b.value;
}
