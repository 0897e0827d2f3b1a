/**
 * The search words of queries and crates, for every database. The databases store the words of crates, so a change of
 * them needs a new step in both schemas. For PostgreSQL, the function `words_of` in `postgres-schema.ts` repeats
 * `wordsOf`: the separators, the scripts without spaces, both lengths and the suffixes. A test in
 * `postgres-records.test.ts` compares the two; it needs `scripts/with-stores.mjs`.
 */
import { canonicalName } from '../store/canonical-name.ts';

/** Maximum number of words in a query, before and after it is split at punctuation. Further words are ignored. */
export const MAX_WORDS = 10;
/** Words shorter than this only match the beginnings of names. */
const MIN_WORD_LENGTH = 3;
/** Longer words are truncated, in queries and in crates. */
const MAX_WORD_LENGTH = 64;
/** Sorts after every text with the same beginning. */
const LAST_CHARACTER = '\u{10ffff}';
/** Separates words: all but letters, digits, `_` and `+`, after `-` became `_`. */
const SEPARATORS = /[^a-z0-9_+\u{c0}-\u{1fff}\u{2070}-\u{2fff}\u{3040}-\u{10ffff}]+/u;
/** Scripts without spaces between words. In these, every character may begin a word. */
const WITHOUT_SPACES = /[\u{e00}-\u{eff}\u{2e80}-\u{10ffff}]/u;

/** A parsed query. */
export interface SearchQuery {
  /** The whole query as a crate name or a part of one. */
  readonly name: string;
  /** Each is the beginning of a word that a crate must have. */
  readonly words: readonly string[];
  /** Beginnings of the crate name that are also required: words that are too short or without searchable characters. */
  readonly beginnings: readonly string[];
}

/** Parses a query. Returns null if it has no words. */
export function parseQuery(query: string): SearchQuery | null {
  // PostgreSQL cannot store NUL, so it separates words too.
  const queryWords = query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  if (queryWords.length === 0) return null;
  const words: string[] = [];
  const beginnings: string[] = [];
  for (const word of queryWords) {
    const parts = partsOf(canonicalName(word)).filter((part) => lengthOf(part) >= MIN_WORD_LENGTH);
    if (parts.length === 0) beginnings.push(canonicalName(word));
    words.push(...parts.map(truncate));
  }
  return {
    name: canonicalName(queryWords.join('-')),
    words: [...new Set(words)].slice(0, MAX_WORDS),
    beginnings,
  };
}

/** Returns the search word of the crates that have a keyword; null for a keyword that is too short to be one. */
export function keywordWord(keyword: string): string | null {
  return parseQuery(keyword)?.words[0] ?? null;
}

/** A search word of a crate, and whether it is a part of the crate's name. */
export interface CrateWord {
  readonly word: string;
  readonly isInName: boolean;
}

/**
 * Returns the search words of a crate, each once. `name` is canonical and contributes all its suffixes, so that a
 * prefix match finds any part of it. `texts` are in lower case.
 */
export function wordsOf(name: string, texts: string): readonly CrateWord[] {
  // A word that is in the name and in the texts counts as one of the name.
  const isInNameByWord = new Map<string, boolean>();
  for (const word of partsOf(texts.replaceAll('-', '_')).flatMap(suffixesOf))
    isInNameByWord.set(truncate(word), false);
  for (let start = 0; start + MIN_WORD_LENGTH <= name.length; start += 1)
    isInNameByWord.set(name.slice(start), true);
  return [...isInNameByWord].map(([word, isInName]) => ({ word, isInName }));
}

/** Returns the suffixes of `part` that begin with a word: those of `serde_json` are `serde_json` and `json`. */
function suffixesOf(part: string): readonly string[] {
  const characters = [...part];
  const isUnspacedScript = WITHOUT_SPACES.test(part);
  return characters.flatMap((character, start) => {
    const beginsWord =
      isUnspacedScript || start === 0 || (characters[start - 1] === '_' && character !== '_');
    return beginsWord && start + MIN_WORD_LENGTH <= characters.length
      ? [characters.slice(start).join('')]
      : [];
  });
}

/** Splits a text at separators, and removes `_` from both ends of the parts. */
function partsOf(text: string): readonly string[] {
  return text
    .split(SEPARATORS)
    .map((part) => part.replaceAll(/^_+|_+$/g, ''))
    .filter((part) => part !== '');
}

/** Counts code points, as PostgreSQL does. */
function lengthOf(word: string): number {
  return [...word].length;
}

function truncate(word: string): string {
  return [...word].slice(0, MAX_WORD_LENGTH).join('');
}

/** Returns the range of texts that begin with `beginning`; `to` is exclusive. `LIKE` would use no index. */
export function textRange(beginning: string): readonly [from: string, to: string] {
  return [beginning, beginning + LAST_CHARACTER];
}

/** Escapes a text for a `LIKE` pattern. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
