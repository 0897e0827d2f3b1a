/** An entry of the result cache, and the check that nothing it was made from has changed. */
import { type FileFingerprint, isUnchanged } from '../disk/fingerprint.ts';
import { listingText } from '../disk/listing-text.ts';
import { NodeFiles } from '../disk/node-files.ts';
import { realPath } from '../disk/real-path.ts';
import type { Files, Kind } from '../files/files.ts';
import { decodeEntryFile, encodeEntryFile } from './entry-file.ts';

/** A piece of what a run printed, in the order in which it was printed. */
export interface OutputPiece {
  /** 1 for stdout, 2 for stderr. */
  readonly fd: 1 | 2;
  readonly bytes: Uint8Array;
}

/** What a run observed, with the fingerprints of the files that are only ever written whole. */
export interface StoredInputs {
  readonly contents: readonly (readonly [path: string, content: Uint8Array | null])[];
  readonly listings: readonly (readonly [path: string, text: string | null])[];
  readonly kinds: readonly (readonly [path: string, kind: Kind | null])[];
  readonly presences: readonly (readonly [path: string, isThere: boolean])[];
  readonly realPaths: readonly (readonly [path: string, target: string | null])[];
  readonly fingerprints: readonly FileFingerprint[];
}

/** A finished run: its key, what it observed, and what it printed. */
export interface ResultEntry {
  readonly key: string;
  readonly inputs: StoredInputs;
  readonly output: readonly OutputPiece[];
}

/** The blobs that follow are the contents of the files that were there, then the output. */
interface Header extends Omit<StoredInputs, 'contents'> {
  readonly key: string;
  readonly contents: readonly (readonly [path: string, isThere: boolean])[];
  /** The stream of each piece. */
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

/** Decodes an entry; null if it is damaged or has another format, or throws. Its bytes are parts of `file`. */
export function decodeEntry(file: Buffer): ResultEntry | null {
  const decoded = decodeEntryFile<Header>(file);
  if (decoded === null) return null;
  const { key, contents, output, ...rest } = decoded.header;
  const blobs = decoded.blobs.values();
  const next = (): Uint8Array => blobs.next().value ?? Buffer.alloc(0);
  const inputs = {
    ...rest,
    contents: contents.map(([path, isThere]) => [path, isThere ? next() : null] as const),
  };
  if (!output.every((fd) => fd === 1 || fd === 2)) return null;
  return { key, inputs, output: output.map((fd) => ({ fd, bytes: next() })) };
}

/** True if everything that a run observed is still the same. Throws where something cannot be read any more. */
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

/** As `Files.read`. Throws for a pipe or a device, whose content must be left to the run. */
function readFile(path: string, files: Files): Uint8Array | null {
  const kind = files.kind(path);
  if (kind === 'other') throw new RangeError('no file');
  return files.read(path);
}

function isSameContent(content: Uint8Array | null, expected: Uint8Array | null): boolean {
  return content === null || expected === null
    ? content === expected
    : Buffer.compare(content, expected) === 0;
}
