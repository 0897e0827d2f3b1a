/**
 * The index of packed documentation, which follows the files in the blob. It has the folder of the crate on the first
 * line, then a line for each file: its bytes in the blob, its bytes when unpacked, and its path. The files are in the
 * blob in the same order, one after another, each compressed with gzip.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { DOCUMENTATION_LIMITS } from './documentation-limits.ts';

/** A file in the blob. */
export interface PackedFile {
  /** Offset of its first byte. */
  readonly first: number;
  /** Bytes in the blob. */
  readonly length: number;
  /** Bytes when unpacked. */
  readonly size: number;
}

/** The files of packed documentation. */
export interface DocumentationIndex {
  /** The folder with the first page: that of the crate. */
  readonly folder: string;
  /** By path. */
  readonly files: ReadonlyMap<string, PackedFile>;
  /** Approximate bytes of memory. */
  readonly memory: number;
}

const BYTES_PER_FILE = 200;

/** Returns the index as it is stored. `text` is that of `indexText`. */
export function encodeIndex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text));
}

/** Returns the lines of an index. Paths have no line ends. */
export function indexText(
  folder: string,
  files: Iterable<readonly [string, Omit<PackedFile, 'first'>]>,
): string {
  return [folder, ...Array.from(files, ([path, { length, size }]) => `${length} ${size} ${path}`)].join('\n');
}

/**
 * Decodes a stored index of files that end at `filesEnd`. Returns null if it is damaged, as it can be in a backup from
 * elsewhere.
 */
export function decodeIndex(bytes: Uint8Array, filesEnd: number): DocumentationIndex | null {
  const [folder = '', ...lines] = unpackText(bytes)?.split('\n') ?? [];
  const files = new Map<string, PackedFile>();
  let first = 0;
  let memory = 0;
  for (const line of lines) {
    const [, length, size, path] = /^(\d{1,9}) (\d{1,9}) (.+)$/.exec(line) ?? [];
    if (path === undefined || Number(length) === 0) return null;
    files.set(path, { first, length: Number(length), size: Number(size) });
    first += Number(length);
    memory += BYTES_PER_FILE + 2 * path.length;
  }
  return first === filesEnd && files.has(`${folder}/index.html`) ? { folder, files, memory } : null;
}

function unpackText(bytes: Uint8Array): string | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: DOCUMENTATION_LIMITS.maxIndexBytes }).toString();
  } catch {
    return null;
  }
}
