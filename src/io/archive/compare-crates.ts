/** Comparison of two archives of a package. Cargo Book: cargo package. */
import { archiveError } from './archive-error.ts';
import { VCS_INFO } from './check-file-name.ts';
import { inflateGzip } from './inflate-gzip.ts';
import { readTar } from './read-tar.ts';

/**
 * The difference between the files of two `.crate` archives. `commit`: only the commit that they were made from
 * differs. Compression, times, owners and order do not count, as they depend on the program that made the archive.
 */
export type CrateDifference =
  | { readonly kind: 'none' | 'commit' }
  /** `path` is a file that only one archive has, or that differs in content or in being executable. */
  | { readonly kind: 'files'; readonly path: string };

/** Compares two archives. Throws `archive` if one is not valid, or unpacks to more than `maxBytes`. */
export function compareCrates(
  a: Uint8Array,
  b: Uint8Array,
  { maxBytes }: { readonly maxBytes: number },
): CrateDifference {
  const [left, right] = [filesOf(a, maxBytes), filesOf(b, maxBytes)];
  const paths = new Set([...left.keys(), ...right.keys()]);
  const differingPaths = [...paths].filter((path) => !isSame(left.get(path), right.get(path))).sort();
  const path = differingPaths.find((differingPath) => pathInPackage(differingPath) !== VCS_INFO);
  if (path !== undefined) return { kind: 'files', path };
  return { kind: differingPaths.length === 0 ? 'none' : 'commit' };
}

/** Returns the path without the archive's top folder. */
function pathInPackage(path: string): string {
  return path.slice(path.indexOf('/') + 1);
}

interface PackedFile {
  readonly data: Uint8Array;
  readonly isExecutable: boolean;
}

/** Returns the files of an archive by path, with the top folder. Throws `archive` if it is not complete. */
function filesOf(crate: Uint8Array, maxBytes: number): ReadonlyMap<string, PackedFile> {
  const { data: tar, complete } = inflateGzip(crate, maxBytes);
  if (!complete) throw archiveError('the archive is cut off');
  const files = new Map<string, PackedFile>();
  for (const { path, kind, mode, data } of readTar(tar)) {
    if (kind !== 'directory') files.set(path, { data, isExecutable: (mode & 0o100) !== 0 });
  }
  return files;
}

function isSame(a: PackedFile | undefined, b: PackedFile | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.isExecutable === b.isExecutable && Buffer.compare(a.data, b.data) === 0;
}
