/** Where static files stand. Cargo Book: Registry Index. */
import { INDEX_CONFIG_FILE } from '../../protocol/index-config.ts';
import { pathPart } from '../../package-id/path-part.ts';
import { indexPath } from '../../protocol/index-path.ts';

/** What a crate's index file is called, by its name. */
export function staticIndexPath(crate: string): string {
  return `index/${indexPath(crate)}`;
}

/** `config.json`. */
export const STATIC_CONFIG_PATH = `index/${INDEX_CONFIG_FILE}`;

/** What all archives of a crate begin with. */
export function staticArchives(crate: string): string {
  return `crates/${pathPart(crate)}/`;
}

/** What an archive is called: by its checksum, so that it never changes. */
export function staticArchivePath(crate: string, checksum: string): string {
  return `${staticArchives(crate)}${checksum}.crate`;
}

/** The same as the `dl` of a `config.json`, for files that are served at `staticUrl`. */
export function staticDownloads(staticUrl: string): string {
  return `${staticUrl}/crates/{crate}/{sha256-checksum}.crate`;
}

/**
 * The text of an index file. Blanks at its end tell its generation: so no two states of a crate have the same bytes,
 * and a store that replaces only what was seen never puts an old one over a newer one that looks like what was there
 * before. Clients do not see them: JSON may end with blanks, and lines that are no JSON are passed over.
 */
export function staticIndexText(body: string, generation: number): string {
  const blanks = [...generation.toString(2)].map((digit) => (digit === '0' ? ' ' : '\t')).join('');
  return `${body.slice(0, -1)}${blanks}\n`;
}

/** An index file without what `staticIndexText` added. */
export function indexBodyOf(text: string): string {
  const body = text.replace(/[ \t]*\n$/, '\n');
  return body === '\n' ? '' : body;
}
