/** The filters of a search. Each is a word such as `license:MIT`. */

/** The filters: the word before the colon, its meaning, and an example of a value. */
export const SEARCH_FILTERS = [
  { kind: 'license', label: 'License', example: 'MIT' },
  { kind: 'rust', label: 'Works with Rust', example: '1.70' },
  { kind: 'owner', label: 'Owner', example: 'LOGIN' },
  { kind: 'feature', label: 'Feature', example: 'serde' },
  { kind: 'keyword', label: 'Keyword', example: 'json' },
  { kind: 'category', label: 'Category', example: 'encoding' },
] as const;

/** The word before the colon of a filter. */
export type FilterKind = (typeof SEARCH_FILTERS)[number]['kind'];
