/** Compares the files of two packages. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { PackedFile } from '../shared/packaging/crate-content.ts';
import { diffLines, type LineDiff } from './diff-lines.ts';

/** A file that only one package has, or that differs in its content or in being executable. */
export interface FileChange {
  /** Relative to the folder of the package. */
  readonly path: string;
  /** null if the package does not have the file. */
  readonly old: PackedFile | null;
  readonly new: PackedFile | null;
  /**
   * The changed lines, or why they are not listed: `binary` for a file that is not text (UTF-8 without NUL), `too-large`
   * for a large one, `limit` if there are too many large changes before it.
   */
  readonly lines: LineDiff | 'binary' | 'too-large' | 'limit';
}

/** Larger files are not compared line by line. */
const MAX_FILE_BYTES = 1024 * 1024;
/** The most bytes to compare line by line, of all files together. */
const MAX_COMPARED_BYTES = 32 * 1024 * 1024;
/** If more lines of a file differ, all its lines count as changed. */
const MAX_EDITS = 2000;
/** The same for the files after `MAX_EFFORT`. */
const MAX_EDITS_AFTER_EFFORT = 200;
/** The most time for `MAX_EDITS`, in squared edits: five files. */
const MAX_EFFORT = 5 * MAX_EDITS ** 2;

/** The lines of a file of which only the mode differs. */
const NO_CHANGE: LineDiff = { added: 0, removed: 0, hunks: '', triedEdits: 0 };

/** Returns the changed files by path. */
export function compareFiles(
  old: ReadonlyMap<string, PackedFile>,
  fresh: ReadonlyMap<string, PackedFile>,
): readonly FileChange[] {
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort(compareBytes);
  const changes: FileChange[] = [];
  let comparedBytes = 0;
  let effort = 0;
  for (const path of paths) {
    const [before, after] = [old.get(path) ?? null, fresh.get(path) ?? null];
    const isSameContent = before !== null && after !== null && Buffer.compare(before.data, after.data) === 0;
    if (isSameContent && before.isExecutable === after.isExecutable) continue;
    const limits = {
      maxBytes: MAX_COMPARED_BYTES - comparedBytes,
      maxEdits: effort < MAX_EFFORT ? MAX_EDITS : MAX_EDITS_AFTER_EFFORT,
    };
    const lines = isSameContent ? NO_CHANGE : changedLines(before, after, limits);
    if (typeof lines !== 'string') {
      comparedBytes += sizeOf(before) + sizeOf(after);
      effort += lines.triedEdits ** 2;
    }
    changes.push({ path, old: before, new: after, lines });
  }
  return changes;
}

function sizeOf(file: PackedFile | null): number {
  return file?.data.length ?? 0;
}

function changedLines(
  old: PackedFile | null,
  fresh: PackedFile | null,
  { maxBytes, maxEdits }: { readonly maxBytes: number; readonly maxEdits: number },
): FileChange['lines'] {
  if (Math.max(sizeOf(old), sizeOf(fresh)) > MAX_FILE_BYTES) return 'too-large';
  const [oldText, newText] = [textOf(old), textOf(fresh)];
  if (oldText === null || newText === null) return 'binary';
  return sizeOf(old) + sizeOf(fresh) > maxBytes ? 'limit' : diffLines(oldText, newText, { maxEdits });
}

/** Returns the content of a file, empty if it is absent; null if it is not text: UTF-8 without NUL. */
function textOf(file: PackedFile | null): string | null {
  if (file === null) return '';
  if (file.data.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(file.data);
  } catch {
    return null;
  }
}
