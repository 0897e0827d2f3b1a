/** The files of a vendored package. Cargo Book: cargo vendor, Source Replacement. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import { READY_FILE } from '../archive/portable-name.ts';

/** The file by which a directory source detects changes to a vendored package. */
export const CHECKSUM_FILE = '.cargo-checksum.json';

const CHECKSUM_COMMENT =
  'This file only protects against accidental modifications. It is not a security mechanism and does not protect ' +
  'against malicious changes.';

/**
 * Returns true for files to vendor, by the parts of their path. Leaves out git's configuration: it would affect the
 * repository that contains the vendor folder.
 */
export function isVendored(parts: readonly string[]): boolean {
  const name = parts.at(-1);
  if (parts.includes('.git') || name === '.gitattributes' || name === '.gitignore') return false;
  return parts.length !== 1 || name !== READY_FILE;
}

/**
 * Returns the text of `.cargo-checksum.json`. `files` has SHA-256 checksums (hexadecimal) by path. `checksum` is that
 * of the `.crate`, or null.
 */
export function formatChecksums(files: ReadonlyMap<string, string>, checksum: string | null): string {
  const sorted = Array.from(files).sort(([a], [b]) => compareBytes(a, b));
  const entries = sorted.map(([path, hash]) => `${JSON.stringify(path)}:${JSON.stringify(hash)}`);
  const comment = JSON.stringify(CHECKSUM_COMMENT);
  return `{"$comment":${comment},"files":{${entries.join(',')}},"package":${JSON.stringify(checksum)}}`;
}

/** Returns the name of a package's file in the checksum file. cargo replaces backslashes on every system. */
export function checksumPath(parts: readonly string[]): string {
  return parts.join('/').replaceAll('\\', '/');
}
