/** Where a package's lines stand in an index. Cargo Book: Registry Index, Index files. */
import { pathPart } from '../package-id/path-part.ts';

/** The folder of a package in an index, by the length of its name, in the case of the name: `1`, `2`, `3/a` or `ab/cd`. */
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
 * The path of a package's index file, relative to the index: `ab/cd/abcdef`, in lower case. Throws for a name that would lead
 * out of the index.
 */
export function indexPath(name: string): string {
  const lower = name.toLowerCase();
  return `${indexPrefix(lower).split('/').map(pathPart).join('/')}/${pathPart(lower)}`;
}
