/** Paths of index files. Cargo Book: Registry Index, Index files. */
import { pathPart } from '../package-id/path-part.ts';

/** Returns the folder of a package in an index, in the case of its name: `1`, `2`, `3/a` or `ab/cd`. */
export function indexPrefix(name: string): string {
  const letters = [...name];
  switch (letters.length) {
    case 0:
    case 1:
      return '1';
    case 2:
      return '2';
    case 3:
      return `3/${letters[0]}`;
    default:
      return `${letters.slice(0, 2).join('')}/${letters.slice(2, 4).join('')}`;
  }
}

/**
 * Returns the path of a package's index file, relative to the index, in lower case: `ab/cd/abcdef`. Throws for a name
 * that would lead out of the index.
 */
export function indexPath(name: string): string {
  const lower = name.toLowerCase();
  return `${indexPrefix(lower).split('/').map(pathPart).join('/')}/${pathPart(lower)}`;
}
