/** An entry of the result cache, and the check that its inputs are unchanged. */
import { type FileFingerprint, isUnchanged } from '../io/disk/fingerprint.ts';
import { listingText } from '../io/disk/listing-text.ts';
import { NodeFiles } from '../io/disk/node-files.ts';
import { realPath } from '../io/disk/real-path.ts';
import type { Files, Kind } from '../core/files/files.ts';
import { decodeEntryFile, encodeEntryFile } from './entry-file.ts';

/** A piece of the output of a run. Pieces are in print order. */
export interface OutputChunk {
  /** 1 for stdout, 2 for stderr. */
  readonly fd: 1 | 2;
  readonly bytes: Uint8Array;
}

/**
 * The observed inputs of a run. Null stands for a missing file or folder. A fingerprint is enough for files that
 * programs replace as a whole and never edit; of the others, the content is stored.
 */
export interface StoredInputs {
  readonly contents: readonly (readonly [path: string, content: Uint8Array | null])[];
  /** Directory listings, as `listingText` returns them. */
  readonly listings: readonly (readonly [path: string, text: string | null])[];
  readonly kinds: readonly (readonly [path: string, kind: Kind | null])[];
  readonly presences: readonly (readonly [path: string, isThere: boolean])[];
  /** Paths, and the same paths with all links resolved. */
  readonly realPaths: readonly (readonly [path: string, target: string | null])[];
  readonly fingerprints: readonly FileFingerprint[];
}

/** The cache key, observed inputs and output of a finished run. */
export interface ResultEntry {
  readonly key: string;
  readonly inputs: StoredInputs;
  readonly output: readonly OutputChunk[];
}

/** The header of an entry. The blobs are the contents of the files that existed, then the output. */
interface Header extends Omit<StoredInputs, 'contents'> {
  readonly key: string;
  readonly contents: readonly (readonly [path: string, isThere: boolean])[];
  /** The stream of each piece of the output. */
  readonly output: readonly (1 | 2)[];
}

/** Encodes an entry. */
export function encodeEntry({ key, inputs, output }: ResultEntry): Buffer {
  const header: Header = {
    ...inputs,
    key,
    contents: inputs.contents.map(([path, content]) => [path, content !== null]),
    output: output.map(({ fd }) => fd),
  };
  const contents = inputs.contents.flatMap(([, content]) => content ?? []);
  return encodeEntryFile({ header, blobs: [...contents, ...output.map(({ bytes }) => bytes)] });
}

/** Decodes an entry. Returns null or throws if it is damaged or has another format. Byte arrays are views of `file`. */
export function decodeEntry(file: Buffer): ResultEntry | null {
  const decoded = decodeEntryFile<Header>(file);
  if (decoded === null) return null;
  const { key, contents, output, ...otherInputs } = decoded.header;
  const blobs = decoded.blobs.values();
  const nextBlob = (): Uint8Array => {
    const { value } = blobs.next();
    if (value === undefined) throw new RangeError('too few blobs');
    return value;
  };
  const inputs = {
    ...otherInputs,
    contents: contents.map(([path, isThere]) => [path, isThere ? nextBlob() : null] as const),
  };
  if (!output.every((fd) => fd === 1 || fd === 2)) return null;
  return { key, inputs, output: output.map((fd) => ({ fd, bytes: nextBlob() })) };
}

/** Returns true if all observed inputs are unchanged. Throws if one of them cannot be read. */
export function areUnchanged(inputs: StoredInputs): boolean {
  const files = new NodeFiles();
  return (
    inputs.contents.every(([path, expected]) => isSameContent(readFile(path, files), expected)) &&
    inputs.listings.every(([path, expected]) => {
      const entries = files.list(path);
      return (entries === null ? null : listingText(entries)) === expected;
    }) &&
    inputs.kinds.every(([path, expected]) => files.kind(path) === expected) &&
    inputs.presences.every(([path, expected]) => files.exists(path) === expected) &&
    inputs.realPaths.every(([path, expected]) => realPath(path) === expected) &&
    inputs.fingerprints.every(isUnchanged)
  );
}

/** Reads a file like `Files.read`. Throws for a pipe or a device, which only the run itself may read. */
function readFile(path: string, files: Files): Uint8Array | null {
  if (files.kind(path) === 'other') throw new RangeError('no regular file');
  return files.read(path);
}

function isSameContent(content: Uint8Array | null, expected: Uint8Array | null): boolean {
  return content === null || expected === null
    ? content === expected
    : Buffer.compare(content, expected) === 0;
}
