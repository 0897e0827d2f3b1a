/** Folder listings as text, which can be compared and stored. */
import type { Entry } from '../../core/files/files.ts';

/** The digit of a kind in the text is its position. */
const KINDS: readonly Entry['kind'][] = ['file', 'directory', 'other', 'symlink'];

/**
 * Returns a folder's entries as text, such as `0Cargo.toml/1src/`. Two folders with the same text have the same names
 * and kinds, since no name contains a slash.
 */
export function listingText(entries: readonly Entry[]): string {
  return entries.map(({ name, kind }) => `${KINDS.indexOf(kind)}${name}/`).join('');
}
