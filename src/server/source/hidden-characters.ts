/** Characters that make code look different from what it does. */

/**
 * Characters that are invisible and change what a reader sees: those that reverse text (CVE-2021-42574), and a carriage
 * return within a line, which hides the text before it.
 */
export const HIDDEN_CHARACTERS = /\r(?!\n)|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Characters of HTML that show one hidden character by its number. */
const SHOWN_LENGTH = 44;

/** Returns true if a text has hidden characters. */
export function hasHiddenCharacters(text: string): boolean {
  return text.search(HIDDEN_CHARACTERS) !== -1;
}

/** Returns about how many characters a page needs for a text. A small file of hidden characters needs many. */
export function shownLength(text: string): number {
  return text.length + SHOWN_LENGTH * (text.match(HIDDEN_CHARACTERS)?.length ?? 0);
}
