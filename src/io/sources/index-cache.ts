/**
 * Index files in `registry/index/…/.cache`, in cargo's format (`SummariesCache` in its source):
 *
 *     FORMAT (1 byte), INDEX_VERSION (4 bytes, little-endian), revision, 0, then for each line: version, 0, JSON, 0
 */
import { readFileSync } from 'node:fs';
import { errnoOf } from '../disk/errno.ts';
import { INDEX_VERSION, readLineVersion } from '../../core/protocol/index-line.ts';
import { parseVersion, type Version } from '../../core/version/version.ts';

/** `CURRENT_CACHE_VERSION` in cargo's source. */
const FORMAT = 3;
const NEWLINE = 0x0a;
const HEADER = Buffer.from([FORMAT, INDEX_VERSION, 0, 0, 0]);

/** One version in an index file: the place of its JSON in `bytes`. */
export interface IndexedLine {
  readonly version: Version;
  readonly start: number;
  readonly end: number;
}

/** The lines of one index file, in order. Several lines may have the same version. */
export interface IndexFile {
  /** The registry's id for this state of the file: `etag: "…"`, `last-modified: …`, `Unknown`, or a blob id. */
  readonly revision: string;
  /** True if it was read from a cache file; false if it comes from the registry. */
  readonly isCached: boolean;
  readonly bytes: Buffer;
  readonly lines: readonly IndexedLine[];
}

/** Reads the cached index file at `path`. Returns null if it is missing, damaged, or in another format. */
export function readIndexCache(path: string): IndexFile | null {
  const bytes = readIndexFile(path);
  return bytes === null ? null : decodeIndexCache(bytes);
}

/** Decodes a cache file. Returns null if it is damaged or in another format. */
export function decodeIndexCache(bytes: Buffer): IndexFile | null {
  const revisionEnd = headerEnd(bytes);
  if (revisionEnd === null) return null;
  const lines: IndexedLine[] = [];
  let position = revisionEnd + 1;
  while (position < bytes.length) {
    const versionEnd = bytes.indexOf(0, position);
    if (versionEnd === -1) return null;
    const end = bytes.indexOf(0, versionEnd + 1);
    if (end === -1) return null;
    const version = versionOrNull(bytes.toString('latin1', position, versionEnd));
    if (version === null) return null;
    lines.push({ version, start: versionEnd + 1, end });
    position = end + 1;
  }
  return { revision: bytes.toString('utf8', HEADER.length, revisionEnd), isCached: true, bytes, lines };
}

/** Splits an index file as served by a registry: one line of JSON per version. Leaves out lines without a version. */
export function splitIndexFile(bytes: Buffer, revision: string): IndexFile {
  const lines: IndexedLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const version = readLineVersion(bytes.toString('utf8', start, end));
    if (version !== null) lines.push({ version, start, end });
    start = end + 1;
  }
  return { revision, isCached: false, bytes, lines };
}

/** Returns the cache file of `file`, as cargo writes it. */
export function encodeIndexCache(file: IndexFile): Buffer {
  const head = Buffer.concat([HEADER, Buffer.from(`${file.revision}\0`)]);
  let size = head.length;
  for (const { version, start, end } of file.lines) size += version.text.length + end - start + 2;
  const cache = Buffer.alloc(size);
  let position = head.copy(cache);
  for (const { version, start, end } of file.lines) {
    // A zero byte follows each text.
    position += cache.write(version.text, position, 'latin1') + 1;
    position += file.bytes.copy(cache, position, start, end) + 1;
  }
  return cache;
}

/** Returns the JSON of one line. */
export function lineText(file: IndexFile, line: IndexedLine): string {
  return file.bytes.toString('utf8', line.start, line.end);
}

/**
 * Finds the first JSON of one version in a cache file without decoding other lines; null if it is not found. The file
 * may be read without the lock: an incomplete line, which cargo is still writing, is not found.
 */
export function placeInIndexCache(
  bytes: Buffer,
  version: string,
): { readonly start: number; readonly end: number } | null {
  if (headerEnd(bytes) === null) return null;
  const versionStart = bytes.indexOf(`\0${version}\0`);
  if (versionStart === -1) return null;
  const start = versionStart + version.length + 2;
  const end = bytes.indexOf(0, start);
  return end === -1 ? null : { start, end };
}

/** Returns the end of the revision, or null if the file is in another format. */
function headerEnd(bytes: Buffer): number | null {
  if (bytes.length < HEADER.length || HEADER.compare(bytes, 0, HEADER.length) !== 0) return null;
  const end = bytes.indexOf(0, HEADER.length);
  return end === -1 ? null : end;
}

/** Returns the bytes of a cache file, or null if it cannot be read. */
export function readIndexFile(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) !== null) return null;
    throw error;
  }
}

function versionOrNull(text: string): Version | null {
  try {
    return parseVersion(text);
  } catch {
    return null;
  }
}
