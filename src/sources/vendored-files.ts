/** What a vendored package holds. Cargo Book: cargo vendor, Source Replacement. */
import { compareBytes } from '../files/compare-bytes.ts';

/** The file by which a directory source tells whether a package is as it was vendored. */
export const CHECKSUM_FILE = '.cargo-checksum.json';

const CHECKSUM_COMMENT =
  'This file only protects against accidental modifications. It is not a security mechanism and does not protect ' +
  'against malicious changes.';

/**
 * True for files that are vendored. What configures git stays away: it would change what a repository that the
 * folder is put into makes of the files.
 */
export function isVendored(parts: readonly string[]): boolean {
  const name = parts.at(-1);
  if (parts.includes('.git') || name === '.gitattributes' || name === '.gitignore') return false;
  return parts.length !== 1 || name !== '.cargo-ok';
}

/**
 * The text of `.cargo-checksum.json`. `files` has SHA-256 checksums in hexadecimal by path, `checksum` that of the
 * `.crate`; null where there is none.
 */
export function formatChecksums(files: ReadonlyMap<string, string>, checksum: string | null): string {
  const sorted = Array.from(files).sort(([a], [b]) => compareBytes(a, b));
  const entries = sorted.map(([path, hash]) => `${JSON.stringify(path)}:${JSON.stringify(hash)}`);
  const comment = JSON.stringify(CHECKSUM_COMMENT);
  return `{"$comment":${comment},"files":{${entries.join(',')}},"package":${JSON.stringify(checksum)}}`;
}

/** How the checksum file names a file of the package. */
export function checksumPath(parts: readonly string[]): string {
  return parts.join('/').replaceAll('\\', '/');
}
