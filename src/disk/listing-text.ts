import type { Entry } from '../files/files.ts';

const KINDS: readonly Entry['kind'][] = ['file', 'directory', 'other', 'symlink'];

/** The entries of a folder as text: two folders with the same text hold the same names and kinds. */
export function listingText(entries: readonly Entry[]): string {
  return entries.map(({ name, kind }) => `${KINDS.indexOf(kind)}${name}/`).join('');
}
