/** What is looked for by words, and in which order it is found, in every database. */
import type { CrateOrder } from '../store.ts';

const MAX_WORDS = 10;
/** Shorter words have no trigram, and are looked for as beginnings of names. */
const MIN_INDEXED = 3;
/** Sorts behind every name with the same beginning. */
const BEHIND_ALL = '\u{10ffff}';

/** Orders that have nothing to do with what is looked for, over the table `crates`. */
export const CRATE_ORDERS: Readonly<Record<CrateOrder, string>> = {
  name: 'canonical_name',
  downloads: 'downloads DESC, id DESC',
  updated: 'updated_at DESC, id DESC',
  // Numbers of crates are given in the order in which they come.
  created: 'id DESC',
};

/** The words of a query, as far as they count. */
export function wordsOf(query: string): readonly string[] {
  return query
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

/** True for what no index has: to look for it in all texts would read them all. */
export function isUnindexed(word: string): boolean {
  return [...word].length < MIN_INDEXED || !/[\p{L}\p{N}]/u.test(word);
}

/** The first name with a beginning, and what comes after the last one. Not `LIKE`, for which there is no index. */
export function nameRange(beginning: string): readonly [from: string, to: string] {
  return [beginning, beginning + BEHIND_ALL];
}

/** A text as a part of a pattern of `LIKE`. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
