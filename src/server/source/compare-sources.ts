/** Compares the files of two `.crate` archives. */
import { createHash } from 'node:crypto';
import { ORIGINAL_MANIFEST, VCS_INFO } from '../../io/archive/check-file-name.ts';
import { contentOfEntry, filesOf, listFiles, type SourceArchive } from './crate-files.ts';
import { diffLines, type TextDiff } from './diff-lines.ts';
import { decodeContent } from './file-content.ts';
import { shownLength } from './hidden-characters.ts';
import { readManifestFacts, type ManifestFacts } from './manifest-facts.ts';

/** A file that only one archive has, or that differs. */
export interface FileDifference {
  readonly path: string;
  /** Bytes; null if the archive does not have the file. */
  readonly oldSize: number | null;
  readonly newSize: number | null;
  /** The changed lines, or why they are not listed: `limit` if the comparison has reached its maximum. */
  readonly diff: TextDiff | 'binary' | 'too-large' | 'limit';
}

/** Facts of one archive. */
export interface SourceFacts extends ManifestFacts {
  readonly fileCount: number;
  /** Bytes of all files. */
  readonly unpackedSize: number;
}

/** The difference between two archives. */
export interface Comparison {
  readonly old: SourceFacts;
  readonly new: SourceFacts;
  /** Manifests first, then by path, then the files that cargo generates. */
  readonly files: readonly FileDifference[];
}

/** Larger files are not compared line by line. */
const MAX_TEXT_BYTES = 512 * 1024;
/** Memory for the contents of one archive. */
const MAX_CONTENT_BYTES = 64 * 1024 * 1024;
const MAX_DIFFS = 300;
/** Characters of all lines in all diffs; see `shownLength`. */
const MAX_DIFF_CHARS = 2 * 1024 * 1024;
const MAX_DIFF_LINES = 50_000;
/** Time for all diffs. With reading the archives, less than other requests wait for the thread. */
const MAX_DIFF_MS = 3000;
const MANIFEST = 'Cargo.toml';

/** Returns true for a file that cargo generates and readers rarely look at. */
export function isGeneratedFile(path: string): boolean {
  return path === 'Cargo.lock' || path === VCS_INFO;
}

/** Compares two archives. Throws as `listFiles` does. */
export function compareSources(oldArchive: SourceArchive, newArchive: SourceArchive): Comparison {
  const [old, fresh] = [readSource(oldArchive), readSource(newArchive)];
  const paths = [...new Set([...old.files.keys(), ...fresh.files.keys()])];
  const differing = paths
    .filter((path) => old.files.get(path)?.digest !== fresh.files.get(path)?.digest)
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const diffs = new Diffs();
  return {
    old: old.facts,
    new: fresh.facts,
    files: differing.map((path) => {
      const [before, after] = [old.files.get(path) ?? null, fresh.files.get(path) ?? null];
      const sizes = { oldSize: before?.size ?? null, newSize: after?.size ?? null };
      return { path, ...sizes, diff: diffs.of(before, after) };
    }),
  };
}

/** A file in memory. */
interface ReadFile {
  readonly size: number;
  readonly digest: string;
  /** null if the file is too large to compare its lines, or there are too many. */
  readonly content: Uint8Array | null;
}

/** Reads the files of an archive, with the contents of up to `MAX_CONTENT_BYTES`. Throws as `listFiles` does. */
function readSource(archive: SourceArchive): {
  readonly files: ReadonlyMap<string, ReadFile>;
  readonly facts: SourceFacts;
} {
  listFiles(archive);
  const files = new Map<string, ReadFile>();
  let unpackedSize = 0;
  let contentBytes = 0;
  for (const [path, entry] of filesOf(archive)) {
    const content = contentOfEntry(entry);
    const { length: size } = content;
    const hasContent = size <= MAX_TEXT_BYTES && contentBytes + size <= MAX_CONTENT_BYTES;
    if (hasContent) contentBytes += size;
    unpackedSize += size;
    const digest = createHash('sha256').update(content).digest('base64');
    files.set(path, { size, digest, content: hasContent ? content : null });
  }
  const manifest = Buffer.from(files.get(MANIFEST)?.content ?? []).toString();
  return { files, facts: { ...readManifestFacts(manifest), fileCount: files.size, unpackedSize } };
}

function rank(path: string): number {
  if (path === ORIGINAL_MANIFEST) return 0;
  if (path === MANIFEST) return 1;
  return isGeneratedFile(path) ? 3 : 2;
}

/** Computes diffs until they reach their limits. */
class Diffs {
  readonly #endMs = performance.now() + MAX_DIFF_MS;
  #count = 0;
  #chars = 0;
  #lines = 0;

  /** Returns the diff of a file; null stands for an archive that does not have the file. */
  of(old: ReadFile | null, fresh: ReadFile | null): FileDifference['diff'] {
    if (this.#count >= MAX_DIFFS || performance.now() > this.#endMs) return 'limit';
    const [before, after] = [textOf(old), textOf(fresh)];
    if (before === null || after === null) return 'too-large';
    if (before.kind !== 'text' || after.kind !== 'text') return 'binary';
    const diff = diffLines(before.text, after.text);
    if (diff === null) return 'too-large';
    const lines = diff.hunks.reduce((total, hunk) => total + hunk.lines.length, 0);
    const chars = diff.hunks.reduce((total, hunk) => total + shownLength(hunk.lines.join('\n')), 0);
    if (this.#chars + chars > MAX_DIFF_CHARS || this.#lines + lines > MAX_DIFF_LINES) return 'limit';
    this.#count += 1;
    this.#chars += chars;
    this.#lines += lines;
    return diff;
  }
}

/** Returns the content of a file, which is empty if the file is absent; null if it is not in memory. */
function textOf(file: ReadFile | null): ReturnType<typeof decodeContent> | null {
  if (file === null) return { kind: 'text', text: '' };
  return file.content === null ? null : decodeContent(file.content);
}
