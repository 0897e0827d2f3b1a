import type { Entry } from '../../core/files/files.ts';

const KINDS: readonly Entry['kind'][] = ['file', 'directory', 'other', 'symlink'];

/** Returns a folder's entries as text. Two folders with the same text have the same names and kinds. */
export function listingText(entries: readonly Entry[]): string {
  return entries.map(({ name, kind }) => `${KINDS.indexOf(kind)}${name}/`).join('');
}
