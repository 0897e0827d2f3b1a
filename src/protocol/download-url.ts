/** Where a registry serves its packages. Cargo Book: Registry Index, Index Configuration. */
import { indexPrefix } from './index-path.ts';

/** What the markers of a template stand for. */
export interface DownloadSubject {
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
}

const MARKER = /\{(?:crate|version|prefix|lowerprefix|sha256-checksum)\}/;

/** The URL of a `.crate` by the `dl` of `config.json`; without any marker in it, `/{crate}/{version}/download` is appended. */
export function downloadUrl(template: string, subject: DownloadSubject): string {
  const { name, version, checksum } = subject;
  if (!MARKER.test(template)) return `${template}/${name}/${version}/download`;
  const prefix = indexPrefix(name);
  return (
    template
      .replaceAll('{crate}', () => name)
      .replaceAll('{version}', () => version)
      .replaceAll('{prefix}', () => prefix)
      .replaceAll('{lowerprefix}', () => prefix.toLowerCase())
      // Nothing but a part of the URL, whatever the index has in the place of a checksum.
      .replaceAll('{sha256-checksum}', () => encodeURIComponent(checksum))
  );
}
