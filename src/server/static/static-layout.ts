/** Paths of static files. Cargo Book: Registry Index. */
import { INDEX_CONFIG_FILE } from '../../core/protocol/index-config.ts';
import { pathPart } from '../../core/package-id/path-part.ts';
import { indexPath } from '../../core/protocol/index-path.ts';

/** Returns the path of a crate's index file. */
export function staticIndexPath(crate: string): string {
  return `index/${indexPath(crate)}`;
}

/** Path of `config.json`. */
export const STATIC_CONFIG_PATH = `index/${INDEX_CONFIG_FILE}`;

/** Returns the path prefix of a crate's archives. */
export function staticArchives(crate: string): string {
  return `crates/${pathPart(crate)}/`;
}

/** Returns the path of an archive. It contains the checksum, so that the file never changes. */
export function staticArchivePath(crate: string, checksum: string): string {
  return `${staticArchives(crate)}${checksum}.crate`;
}

/** Returns the `dl` of `config.json` for files that are served at `staticUrl`. */
export function staticDownloads(staticUrl: string): string {
  // Clients replace both markers.
  return `${staticUrl}/${staticArchivePath('{crate}', '{sha256-checksum}')}`;
}

/**
 * Returns the text of an index file. `body` is empty or ends with a line break. Whitespace at the end of the text encodes
 * the generation, so that no two states of a crate have the same bytes. Otherwise a conditional write could replace a
 * newer file that equals an older one. Clients ignore it: JSON may end with whitespace, and they skip lines that are not
 * JSON.
 */
export function staticIndexText(body: string, generation: number): string {
  const blanks = [...generation.toString(2)].map((digit) => (digit === '0' ? ' ' : '\t')).join('');
  return `${body.slice(0, -1)}${blanks}\n`;
}

/** Returns an index file without the whitespace that `staticIndexText` added. */
export function indexBodyOf(text: string): string {
  const body = text.replace(/[ \t]*\n$/, '\n');
  return body === '\n' ? '' : body;
}
