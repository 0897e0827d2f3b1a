/** Index files as they lie under `registry/index/…/.cache`, in the form that cargo reads and writes. */
import { readFileSync } from 'node:fs';
import { errnoOf } from '../disk/errno.ts';
import { INDEX_VERSION, readLineVersion } from '../protocol/index-line.ts';
import { parseVersion, type Version } from '../version/version.ts';

const FORMAT = 3;
const HEADER = Buffer.from([FORMAT, INDEX_VERSION, 0, 0, 0]);

/** One version in an index file: where its JSON stands in `bytes`. */
export interface IndexedLine {
  readonly version: Version;
  readonly start: number;
  readonly end: number;
}

/** The lines of one index file, in its order. Several may have one version. */
export interface IndexFile {
  /** The form in which the registry gave the file: `etag: "…"`, `last-modified: …`, `Unknown`, or a blob id. */
  readonly revision: string;
  readonly bytes: Buffer;
  readonly lines: readonly IndexedLine[];
}

/** The cached index file at `path`; null if there is none, or if it was written by another version of cargo or is damaged. */
export function readIndexCache(path: string): IndexFile | null {
  const bytes = readIndexFile(path);
  return bytes === null ? null : decodeIndexCache(bytes);
}

/** Decodes a cache file; null if it is not of the form that this program knows. */
export function decodeIndexCache(bytes: Buffer): IndexFile | null {
  const revisionEnd = headerEnd(bytes);
  if (revisionEnd === null) return null;
  const lines: IndexedLine[] = [];
  let at = revisionEnd + 1;
  while (at < bytes.length) {
    const versionEnd = bytes.indexOf(0, at);
    if (versionEnd === -1) return null;
    const end = bytes.indexOf(0, versionEnd + 1);
    if (end === -1) return null;
    const version = versionOrNull(bytes.toString('latin1', at, versionEnd));
    if (version === null) return null;
    lines.push({ version, start: versionEnd + 1, end });
    at = end + 1;
  }
  return { revision: bytes.toString('utf8', HEADER.length, revisionEnd), bytes, lines };
}

/** An index file as a registry serves it: a line of JSON for each version. Lines without a version are left out. */
export function splitIndexFile(bytes: Buffer, revision: string): IndexFile {
  const lines: IndexedLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const version = readLineVersion(bytes.toString('utf8', start, end));
    if (version !== null) lines.push({ version, start, end });
    start = end + 1;
  }
  return { revision, bytes, lines };
}

/** The bytes of the cache file of `file`, as cargo writes them. */
export function encodeIndexCache(file: IndexFile): Buffer {
  const head = Buffer.concat([HEADER, Buffer.from(`${file.revision}\0`)]);
  let size = head.length;
  for (const { version, start, end } of file.lines) size += version.text.length + end - start + 2;
  const cache = Buffer.alloc(size);
  let at = head.copy(cache);
  for (const { version, start, end } of file.lines) {
    // Each text has a zero behind it.
    at += cache.write(version.text, at, 'latin1') + 1;
    at += file.bytes.copy(cache, at, start, end) + 1;
  }
  return cache;
}

/** The JSON of one line. */
export function lineText(file: IndexFile, line: IndexedLine): string {
  return file.bytes.toString('utf8', line.start, line.end);
}

/**
 * Where the first JSON of one version stands in the bytes of a cache file; null if it is not found. Looks at no other line, and
 * the file may have been read without a lock: a line is found only with its ends, so one that cargo is just writing is
 * not.
 */
export function placeInIndexCache(
  bytes: Buffer,
  version: string,
): { readonly start: number; readonly end: number } | null {
  if (headerEnd(bytes) === null) return null;
  const at = bytes.indexOf(`\0${version}\0`);
  if (at === -1) return null;
  const start = at + version.length + 2;
  const end = bytes.indexOf(0, start);
  return end === -1 ? null : { start, end };
}

/** Where the revision ends, or null if the file is of another form. */
function headerEnd(bytes: Buffer): number | null {
  if (bytes.length < HEADER.length || HEADER.compare(bytes, 0, HEADER.length) !== 0) return null;
  const end = bytes.indexOf(0, HEADER.length);
  return end === -1 ? null : end;
}

/** The bytes of a cache file; null if there is none that can be read. */
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
