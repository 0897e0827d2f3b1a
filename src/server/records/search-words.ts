/** What is looked for by words, which words a crate has, and in which order it is found, in every database. */
import { canonicalName } from '../canonical-name.ts';
import type { CrateOrder } from '../store.ts';

/** So many words count, of what is given and of what its punctuation parts: the rest is not looked for. */
export const MAX_WORDS = 10;
/** Shorter words are looked for as beginnings of names alone. */
const MIN_INDEXED = 3;
/** Longer words are cut off. */
const MAX_INDEXED = 64;
/** Sorts behind every name with the same beginning. */
const BEHIND_ALL = '\u{10ffff}';
/** What parts words, `-` apart: all but letters, digits, `_` and `+`. The function `words_of` of PostgreSQL has the same. */
const SEPARATORS = /[^a-z0-9_+\u{c0}-\u{1fff}\u{2070}-\u{2fff}\u{3040}-\u{10ffff}]+/u;
/** Scripts without blanks between words: there every character may begin one. */
const UNPARTED = /[\u{e00}-\u{eff}\u{2e80}-\u{10ffff}]/u;

/** Orders that have nothing to do with what is looked for, over the table `crates`. */
export const CRATE_ORDERS: Readonly<Record<CrateOrder, string>> = {
  name: 'crates.canonical_name',
  downloads: 'crates.downloads DESC, crates.id DESC',
  updated: 'crates.updated_at DESC, crates.id DESC',
  // Numbers of crates are given in the order in which they come.
  created: 'crates.id DESC',
};

/** What somebody looks for. */
export interface SearchQuery {
  /** As a name of a crate, or a part of one. */
  readonly name: string;
  /** What words of a crate must begin with, each of them. */
  readonly words: readonly string[];
  /** What its name must begin with: words that are too short, or have nothing that is looked for. */
  readonly beginnings: readonly string[];
}

/** Reads a query, as far as it counts; null for one without words. */
export function parseQuery(query: string): SearchQuery | null {
  const given = query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  if (given.length === 0) return null;
  const words: string[] = [];
  const beginnings: string[] = [];
  for (const word of given) {
    const parts = partsOf(canonicalName(word)).filter((part) => lengthOf(part) >= MIN_INDEXED);
    if (parts.length === 0) beginnings.push(canonicalName(word));
    words.push(...parts.map(cut));
  }
  return {
    name: canonicalName(given.join('-')),
    words: [...new Set(words)].slice(0, MAX_WORDS),
    beginnings,
  };
}

/** True if a search for a keyword finds the crates that have it: shorter ones are looked for in names alone. */
export function isFoundByKeyword(keyword: string): boolean {
  const query = parseQuery(keyword);
  return query !== null && query.words.length > 0;
}

/** A word of a crate, and whether it is a part of its name. */
export interface CrateWord {
  readonly word: string;
  readonly isInName: boolean;
}

/**
 * The words that a crate is found by, each once: every end of its canonical name, so that any part of it is the
 * beginning of one; and what is in its other texts, in lower case.
 */
export function wordsOf(name: string, texts: string): readonly CrateWord[] {
  const found = new Map<string, boolean>();
  for (const word of partsOf(texts.replaceAll('-', '_')).flatMap(beginningsIn)) found.set(cut(word), false);
  for (let at = 0; at + MIN_INDEXED <= name.length; at += 1) found.set(name.slice(at), true);
  return [...found].map(([word, isInName]) => ({ word, isInName }));
}

/** `serde_json` also has a word that begins with `json`. */
function beginningsIn(part: string): readonly string[] {
  const characters = [...part];
  const isUnparted = UNPARTED.test(part);
  return characters.flatMap((character, at) => {
    const begins = isUnparted || at === 0 || (characters[at - 1] === '_' && character !== '_');
    return begins && at + MIN_INDEXED <= characters.length ? [characters.slice(at).join('')] : [];
  });
}

function partsOf(text: string): readonly string[] {
  return text
    .split(SEPARATORS)
    .map((part) => part.replaceAll(/^_+|_+$/g, ''))
    .filter((part) => part !== '');
}

function lengthOf(word: string): number {
  return [...word].length;
}

function cut(word: string): string {
  return [...word].slice(0, MAX_INDEXED).join('');
}

/** The first text with a beginning, and what comes after the last one. Not `LIKE`, for which there is no index. */
export function textRange(beginning: string): readonly [from: string, to: string] {
  return [beginning, beginning + BEHIND_ALL];
}

/** A text as a part of a pattern of `LIKE`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
