/** URLs from which a registry serves packages. Cargo Book: Registry Index, Index Configuration. */
import { indexPrefix } from './index-path.ts';

/** The values of the markers in a template. */
export interface DownloadSubject {
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
}

const MARKER = /\{(?:crate|version|prefix|lowerprefix|sha256-checksum)\}/;

/** Returns the URL of a `.crate`. Appends `/{crate}/{version}/download` to a `template` (`dl`) without markers. */
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
      // Encoded, so that an invalid checksum in the index cannot change the rest of the URL.
      .replaceAll('{sha256-checksum}', () => encodeURIComponent(checksum))
  );
}
